# A number that another group has, for a new group and for one that is there; and a group of the system.
#
# exits: 2 0
# setup:
#   groupadd -g 1500 ann; groupadd -g 1600 dan
group { 'bob': ensure => present, gid => 1500, allowdupe => true }
group { 'dan': gid => 1500, allowdupe => true }
group { 'low': ensure => present, system => true }
