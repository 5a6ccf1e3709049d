# The number belongs to somebody else; with `allowdupe` it does not matter.
#
# exits: 6 4
# setup:
#   useradd -u 1500 ann
user { 'bob': ensure => present, uid => 1500 }
user { 'cid': ensure => present, uid => 1500, allowdupe => true }
