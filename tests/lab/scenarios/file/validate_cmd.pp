# Content that a command does not like is not written.
#
# exits: 6 4
# setup:
#   echo old > /srv/a; echo old > /srv/b
file { '/srv/a': content => "good\n", validate_cmd => '/bin/grep -q good %' }
file { '/srv/b': content => "bad\n", validate_cmd => '/bin/grep -q good %' }
