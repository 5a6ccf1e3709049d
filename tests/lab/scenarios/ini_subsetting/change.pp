# Parts of a value are added, changed and removed.
#
# exits: 2 0
# setup:
#   printf '[main]\nargs = "-Xms64m -Xmx128m -server"\n' > /srv/a.ini
ini_subsetting { 'max': path => '/srv/a.ini', section => 'main', setting => 'args', subsetting => '-Xmx', value => '512m' }
ini_subsetting { 'new': path => '/srv/a.ini', section => 'main', setting => 'args', subsetting => '-Xss', value => '1m' }
ini_subsetting { 'gone': ensure => absent, path => '/srv/a.ini', section => 'main', setting => 'args', subsetting => '-server' }
