# The file is not there.
#
# exits: 4 4
file_line { 'a': path => '/srv/none', line => 'x' }
