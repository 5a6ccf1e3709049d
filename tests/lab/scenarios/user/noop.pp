# What would be made, changed, removed.
#
# exits: 0 0
# flags: --noop
# setup:
#   useradd ann; useradd bob
user { 'ann': comment => 'new', shell => '/bin/bash' }
user { 'bob': ensure => absent }
user { 'cid': ensure => present }
