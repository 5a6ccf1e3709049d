# A symbolic mode is worked out from the mode that is there.
#
# exits: 2 0
# setup:
#   echo text > /srv/a; chmod 650 /srv/a
#   mkdir /srv/d; chmod 700 /srv/d
file { '/srv/a': mode => 'u=rw,g-w,o+r' }
file { '/srv/d': mode => 'a+X,g+s' }
