# A refresh goes on from one to the next.
#
# exits: 2 0
file { '/srv/a': content => 'x' }
~> exec { 'one': command => '/bin/sh -c "echo one >> /srv/log"', refreshonly => true }
~> exec { 'two': command => '/bin/sh -c "echo two >> /srv/log"', refreshonly => true }
-> exec { 'three': command => '/bin/sh -c "echo three >> /srv/log"', refreshonly => true }
