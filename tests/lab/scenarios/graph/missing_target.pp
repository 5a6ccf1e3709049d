# What is required is not there: nothing is done.
#
# exits: 1 1
file { '/srv/a': content => 'a', require => File['/srv/nowhere'] }
file { '/srv/b': content => 'b' }
