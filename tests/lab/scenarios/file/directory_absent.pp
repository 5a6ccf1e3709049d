# An empty directory is not removed without `force`.
#
# exits: 2 2
# setup:
#   mkdir /srv/d
file { '/srv/d': ensure => absent }
