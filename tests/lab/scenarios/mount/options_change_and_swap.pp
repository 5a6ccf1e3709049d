# Options of what is mounted change, and it is remounted; swap is only written down.
#
# exits: 2 0
# setup:
#   mkdir /srv/m; echo 'tmpfs /srv/m tmpfs size=1m 0 0' > /etc/fstab; mount /srv/m
mount { '/srv/m': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs', options => 'size=2m,noexec', dump => 0, pass => 0 }
mount { 'swap': ensure => present, device => '/dev/none', fstype => 'swap', options => 'sw' }
