# Options change: it is mounted anew.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/m; mount -t tmpfs -o size=1m tmpfs /srv/m; printf 'tmpfs /srv/m tmpfs size=1m 0 0\n' > /etc/fstab
mount { '/srv/m': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs', options => 'size=2m', pass => 0, dump => 0 }
