# The schedule is not there: nothing is done.
#
# exits: 1 1
file { '/srv/a': content => 'a', schedule => 'nowhere' }
