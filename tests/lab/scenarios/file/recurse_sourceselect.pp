# Several sources of a tree: all of them together, the first one first.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/one /srv/two; echo 1 > /srv/one/a; echo 2 > /srv/two/a; echo 2 > /srv/two/b
file { '/srv/all': ensure => directory, recurse => true, source => ['/srv/one', '/srv/two'], sourceselect => all }
file { '/srv/first': ensure => directory, recurse => true, source => ['/srv/none', '/srv/two'], sourceselect => first }
