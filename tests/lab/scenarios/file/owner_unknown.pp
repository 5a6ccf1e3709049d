# An owner that is not there: that resource fails, the others do not.
#
# exits: 6 4
# setup:
#   echo text > /srv/a
file { '/srv/a': owner => 'nobody-knows' }
file { '/srv/b': content => 'b' }
