# Nothing is to be done.
#
# exits: 0 0
# setup:
#   printf '[main]\none   =   1\n' > /srv/a.ini
ini_setting { 'one': path => '/srv/a.ini', section => 'main', setting => 'one', value => '1' }
