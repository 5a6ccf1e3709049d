# The schedule is not there.
#
# exits: 4 4
file { '/srv/a': content => 'a', schedule => 'nowhere' }
