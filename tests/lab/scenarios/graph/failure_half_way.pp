# One fails: what depends on it is skipped at any distance, its listeners hear nothing, all others are done.
#
# exits: 6 4
# set: small
file { '/srv/a': content => 'a' }
-> exec { 'fail': command => '/bin/false' }
-> file { '/srv/b': content => 'b' }
~> exec { 'listener': command => '/bin/touch /srv/heard', refreshonly => true }
-> file { '/srv/c': content => 'c' }
file { '/srv/d': content => 'd' }
