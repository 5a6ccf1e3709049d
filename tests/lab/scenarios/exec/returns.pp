# Other statuses may be right.
#
# exits: 6 6
exec { 'right': command => '/bin/sh -c "exit 3"', returns => [0, 3] }
exec { 'wrong': command => '/bin/sh -c "exit 4"', returns => '3' }
