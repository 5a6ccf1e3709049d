# The number belongs to another group.
#
# exits: 6 4
# setup:
#   groupadd -g 3000 one
group { 'two': ensure => present, gid => 3000 }
group { 'three': ensure => present, gid => 3000, allowdupe => true }
