# The refresh fails.
#
# exits: 6 2
file { '/srv/a': content => 'a' }
~> exec { 'fail': command => '/bin/false', refreshonly => true }
-> file { '/srv/b': content => 'b' }
