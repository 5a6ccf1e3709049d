# In fstab, whether mounted or not.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/m /srv/n; mount -t tmpfs tmpfs /srv/n; printf 'tmpfs /srv/n tmpfs defaults 0 0\n' > /etc/fstab
mount { '/srv/m': ensure => defined, device => 'tmpfs', fstype => 'tmpfs' }
mount { '/srv/n': ensure => defined, device => 'tmpfs', fstype => 'tmpfs' }
