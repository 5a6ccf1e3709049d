# Values change; comments, blank lines and order stay.
#
# exits: 2 0
# setup:
#   printf '; top\ntop=1\n\n[main]\n# about one\none = 1\n  two=2\n;three=3\n\n[other]\none=1\n' > /srv/a.ini
ini_setting { 'one': path => '/srv/a.ini', section => 'main', setting => 'one', value => 'eins' }
ini_setting { 'two': path => '/srv/a.ini', section => 'main', setting => 'two', value => 'zwei' }
ini_setting { 'three': path => '/srv/a.ini', section => 'main', setting => 'three', value => 'drei' }
ini_setting { 'top': path => '/srv/a.ini', section => '', setting => 'top', value => '2' }
