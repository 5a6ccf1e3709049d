# A directory stands where a file shall be; it is not removed without `force`.
#
# exits: 4 4
# setup:
#   mkdir /srv/d; echo x > /srv/d/f
file { '/srv/d': ensure => file, content => 'x' }
