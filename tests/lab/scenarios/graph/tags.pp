# Only what bears the tag.
#
# exits: 2 0
# flags: --tags web
file { '/srv/a': content => 'a', tag => 'web' }
file { '/srv/b': content => 'b', tag => ['db', 'web'] }
file { '/srv/c': content => 'c', tag => 'db' }
