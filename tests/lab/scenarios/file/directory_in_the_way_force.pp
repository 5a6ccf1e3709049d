# With `force` a file takes the place of a directory.
#
# exits: 2 0
# setup:
#   mkdir /srv/d; echo x > /srv/d/f
file { '/srv/d': ensure => file, content => 'x', force => true }
