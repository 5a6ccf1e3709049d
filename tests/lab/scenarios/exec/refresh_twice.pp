# Several changes, one refresh; and without `refresh` the command itself runs again.
#
# exits: 2 2
file { ['/srv/a', '/srv/b', '/srv/c']: content => 'x', notify => Exec['work'] }
exec { 'work': command => '/bin/sh -c "echo work >> /srv/log"' }
