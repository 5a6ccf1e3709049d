# Lines go, by their text or by a pattern.
#
# exits: 2 0
# setup:
#   printf 'one\ntwo\none\nx1\nx2\n' > /srv/a
file_line { 'one': ensure => absent, path => '/srv/a', line => 'one' }
file_line { 'x': ensure => absent, path => '/srv/a', match => '^x', match_for_absence => true, multiple => true }
