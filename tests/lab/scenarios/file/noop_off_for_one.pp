# A resource can say that it is in earnest although the run is not.
#
# exits: 2 0
# flags: --noop
file { '/srv/a': content => 'a' }
file { '/srv/b': content => 'b', noop => false }
