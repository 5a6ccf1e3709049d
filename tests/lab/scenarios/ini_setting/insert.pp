# Where a new setting goes when the section is in the middle.
#
# exits: 2 0
# setup:
#   printf '[first]\na = 1\n\n[second]\nb = 2\n\n# end of second\n\n[third]\nc = 3\n' > /srv/a.ini
ini_setting { 'new': path => '/srv/a.ini', section => 'second', setting => 'new', value => 'x' }
ini_setting { 'indent': path => '/srv/a.ini', section => 'first', setting => 'deep', value => 'y', indent_char => ' ', indent_width => 4 }
