# A group that is not there.
#
# exits: 4 4
user { 'ann': ensure => present, gid => 'no-such-group' }
