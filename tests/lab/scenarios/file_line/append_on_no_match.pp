# Nothing is added where nothing matches.
#
# exits: 2 0
# setup:
#   printf 'a=1\n' > /srv/a
file_line { 'a': path => '/srv/a', line => 'c=3', match => '^c=', append_on_no_match => false }
file_line { 'd': path => '/srv/a', line => 'd=3', match => '^d=' }
