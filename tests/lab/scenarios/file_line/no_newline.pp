# The last line has no end.
#
# exits: 2 0
# setup:
#   printf 'one\ntwo' > /srv/a
file_line { 'end': path => '/srv/a', line => 'three' }
