# `refresh` runs another command, and `returns` counts for it.
#
# exits: 2 2
# setup:
#   echo a > /srv/src
# between:
#   echo b > /srv/src
file { '/srv/a': source => '/srv/src' }
~> exec { 'e': command => '/bin/sh -c "echo run >> /srv/log; exit 3"', refresh => '/bin/sh -c "echo refresh >> /srv/log; exit 4"', returns => [3, '4'] }
