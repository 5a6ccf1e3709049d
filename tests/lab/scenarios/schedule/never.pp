# Outside its time a resource is left alone.
#
# exits: 2 0
schedule { 'no': period => never }
file { '/srv/a': content => 'a', schedule => 'no' }
file { '/srv/b': content => 'b' }
