# What would be mounted and unmounted.
#
# exits: 0 0
# flags: --noop
# setup:
#   mkdir -p /srv/m /srv/n; mount -t tmpfs tmpfs /srv/n; printf 'tmpfs /srv/n tmpfs defaults 0 0\n' > /etc/fstab
mount { '/srv/m': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs' }
mount { '/srv/n': ensure => absent }
