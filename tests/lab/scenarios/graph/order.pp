# Without edges the order is the manifest's; with them it is theirs.
#
# exits: 2 2
exec { 'third': command => '/bin/sh -c "echo third >> /srv/log"', require => Exec['second'] }
exec { 'first': command => '/bin/sh -c "echo first >> /srv/log"' }
exec { 'second': command => '/bin/sh -c "echo second >> /srv/log"', before => Exec['fourth'] }
exec { 'fourth': command => '/bin/sh -c "echo fourth >> /srv/log"' }
