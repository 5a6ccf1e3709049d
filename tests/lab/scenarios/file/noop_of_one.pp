# A resource's own `noop` holds, and that of others does not.
#
# exits: 2 0
file { '/srv/a': content => 'a', noop => true }
file { '/srv/b': content => 'b' }
