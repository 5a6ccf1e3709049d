# What is replaced or removed is kept beside it.
#
# exits: 2 0
# setup:
#   echo old > /srv/a; chmod 640 /srv/a; echo old > /srv/b; mkdir /srv/d; echo old > /srv/d/f
file { '/srv/a': content => 'new', backup => '.before' }
file { '/srv/b': ensure => absent, backup => '.before' }
file { '/srv/d': ensure => absent, backup => '.before', force => true }
