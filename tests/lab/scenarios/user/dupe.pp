# A number that another user has; then the number changes to that of a third one.
#
# exits: 2 0
# setup:
#   useradd -u 1500 -M ann; useradd -u 1600 -M cid; useradd -u 1700 -M dan
user { 'bob': ensure => present, uid => 1500, allowdupe => true }
user { 'dan': uid => 1600, allowdupe => true }
