# Bits for setuid, setgid and sticky.
#
# exits: 2 0
# setup:
#   echo text > /srv/a; chmod 600 /srv/a
#   mkdir /srv/d
file { '/srv/a': mode => '4755' }
file { '/srv/d': ensure => directory, mode => '3775' }
