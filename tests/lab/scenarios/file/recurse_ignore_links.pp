# A source with links and with what is ignored; links are copied as links.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/src/.git /srv/src/sub; echo g > /srv/src/.git/g; echo b > /srv/src/x.bak; echo a > /srv/src/sub/a; ln -s sub/a /srv/src/l; ln -s nowhere /srv/src/dangling
file { '/srv/to': ensure => directory, recurse => true, source => '/srv/src', ignore => ['.git', '*.bak'], links => manage }
file { '/srv/to2': ensure => directory, recurse => remote, source => '/srv/src/sub', mode => '0600' }
