# What would be changed.
#
# exits: 0 0
# flags: --noop
# setup:
#   printf '[main]\none = 1\ntwo = 2\n' > /srv/a.ini
ini_setting { 'one': path => '/srv/a.ini', section => 'main', setting => 'one', value => '2' }
ini_setting { 'two': ensure => absent, path => '/srv/a.ini', section => 'main', setting => 'two' }
ini_setting { 'new': path => '/srv/b.ini', section => 'main', setting => 'two', value => '2' }
