# A directory that is purged stays without `force`.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/d/sub; echo 1 > /srv/d/one; echo 3 > /srv/d/sub/three
file { '/srv/d': ensure => directory, recurse => true, purge => true }
