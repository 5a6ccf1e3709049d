# What would be added and removed.
#
# exits: 0 0
# flags: --noop
# setup:
#   printf 'one\ntwo\n' > /srv/a
file_line { 'new': path => '/srv/a', line => 'three' }
file_line { 'one': ensure => absent, path => '/srv/a', line => 'one' }
