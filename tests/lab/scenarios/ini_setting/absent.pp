# A setting goes, and the section with the last one.
#
# exits: 2 0
# setup:
#   printf '[main]\none = 1\ntwo = 2\n[last]\none = 1\n[end]\nx=1\n' > /srv/a.ini
ini_setting { 'one': ensure => absent, path => '/srv/a.ini', section => 'main', setting => 'one' }
ini_setting { 'last': ensure => absent, path => '/srv/a.ini', section => 'last', setting => 'one' }
ini_setting { 'never': ensure => absent, path => '/srv/a.ini', section => 'none', setting => 'one' }
