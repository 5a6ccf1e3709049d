# A shell that is not there is refused for a new user and for one that is there.
#
# exits: 4 4
# setup:
#   useradd -M ann; useradd -M cid
user { 'ann': shell => '/bin/no-such-shell' }
user { 'bob': ensure => present, shell => '/bin/no-such-shell' }
user { 'cid': shell => '/etc/passwd' }
