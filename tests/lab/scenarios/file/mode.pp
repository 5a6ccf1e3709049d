# The mode alone changes.
#
# exits: 2 0
# setup:
#   echo text > /srv/a; chmod 600 /srv/a
file { '/srv/a': mode => '0755' }
