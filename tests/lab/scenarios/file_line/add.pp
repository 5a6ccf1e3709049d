# A line is added at the end, once; after a line, where one is named; and changed where one matches.
#
# exits: 2 0
# setup:
#   printf 'one\ntwo\nthree=3\n' > /srv/a
file_line { 'end': path => '/srv/a', line => 'four' }
file_line { 'there': path => '/srv/a', line => 'two' }
file_line { 'after': path => '/srv/a', line => 'one and a half', after => '^one$' }
file_line { 'match': path => '/srv/a', line => 'three=drei', match => '^three=' }
