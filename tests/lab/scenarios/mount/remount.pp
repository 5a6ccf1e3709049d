# What is notified is mounted anew.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/m; mount -t tmpfs -o size=1m tmpfs /srv/m; printf 'tmpfs /srv/m tmpfs size=3m 0 0\n' > /etc/fstab
file { '/srv/x': content => 'x' }
~> mount { '/srv/m': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs', options => 'size=3m' }
