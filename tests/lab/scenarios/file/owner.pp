# Owner and group change, by name and by number.
#
# exits: 2 0
# setup:
#   echo text > /srv/a; echo text > /srv/b
file { '/srv/a': owner => 'games', group => 'mail' }
file { '/srv/b': owner => '1234', group => 4321 }
