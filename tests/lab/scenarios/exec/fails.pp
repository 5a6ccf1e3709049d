# A command fails; what depends on it is skipped, the rest is done.
#
# exits: 6 4
exec { '/bin/false': }
-> file { '/srv/after': content => 'x' }
-> file { '/srv/after/that': content => 'x' }
file { '/srv/other': content => 'x' }
