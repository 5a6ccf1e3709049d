# Fields that are missing in fstab are filled in; the second run has nothing to do.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/m; mount -t tmpfs -o size=1m tmpfs /srv/m; printf 'tmpfs  /srv/m\ttmpfs size=1m\n' > /etc/fstab
mount { '/srv/m': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs', options => 'size=1m' }
