# A group goes.
#
# exits: 2 0
# setup:
#   groupadd one
group { 'one': ensure => absent }
