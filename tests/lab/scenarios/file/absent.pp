# A file is removed; its content goes to the bucket, which is not looked at here.
#
# exits: 2 0
# setup:
#   echo text > /srv/old
file { '/srv/old': ensure => absent }
