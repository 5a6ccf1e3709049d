# A directory that is purged stays without `force`, and Puppet says each time that it went.
#
# exits: 2 2
# deviates: a directory that stays is not said to have gone
# setup:
#   mkdir -p /srv/d/sub; echo 1 > /srv/d/one; echo 3 > /srv/d/sub/three
file { '/srv/d': ensure => directory, recurse => true, purge => true }
