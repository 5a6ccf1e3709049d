# It stays in fstab and is not mounted.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/m; mount -t tmpfs tmpfs /srv/m; printf 'tmpfs /srv/m tmpfs defaults 0 0\n' > /etc/fstab
mount { '/srv/m': ensure => unmounted, device => 'tmpfs', fstype => 'tmpfs' }
