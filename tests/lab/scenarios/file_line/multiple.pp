# Several lines match: all change with `multiple`, and without it fails.
#
# exits: 6 4
# setup:
#   printf 'a=1\na=2\nb=1\nb=2\n' > /srv/a
file_line { 'a': path => '/srv/a', line => 'a=3', match => '^a=', multiple => true }
file_line { 'b': path => '/srv/a', line => 'b=3', match => '^b=' }
