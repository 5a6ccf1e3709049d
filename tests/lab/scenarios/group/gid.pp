# The number changes.
#
# exits: 2 0
# setup:
#   groupadd -g 3000 one
group { 'one': gid => '3001' }
