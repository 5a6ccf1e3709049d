# What would be made and changed.
#
# exits: 0 0
# flags: --noop
# setup:
#   groupadd -g 3000 one
group { 'one': gid => 3001 }
group { 'two': ensure => present }
