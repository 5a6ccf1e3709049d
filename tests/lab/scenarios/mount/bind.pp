# A directory is mounted at another place.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/from /srv/to; echo x > /srv/from/file; : > /etc/fstab
mount { '/srv/to': ensure => mounted, device => '/srv/from', fstype => 'none', options => 'bind' }
