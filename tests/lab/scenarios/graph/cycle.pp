# A circle: nothing is done.
#
# exits: 1 1
file { '/srv/a': content => 'a', require => File['/srv/b'] }
file { '/srv/b': content => 'b', require => File['/srv/c'] }
file { '/srv/c': content => 'c', require => File['/srv/a'] }
