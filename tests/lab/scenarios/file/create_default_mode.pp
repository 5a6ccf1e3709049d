# A file that is made without a mode has the usual one.
#
# exits: 2 0
file { '/srv/plain': content => 'x' }
