# A group of the user's name is there already, and the home directory belongs to it.
#
# exits: 2 0
# setup:
#   groupadd -g 1900 bob
user { 'bob': ensure => present, managehome => true, home => '/srv/bob', shell => '/bin/sh' }
