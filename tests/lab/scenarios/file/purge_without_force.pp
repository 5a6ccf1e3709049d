# A directory that is purged stays without `force`, and Puppet says each time that it went.
#
# exits: 2 2
# deviates: Puppet says each time that it removed a directory that is still there; rtype leaves it out
# setup:
#   mkdir -p /srv/d/sub; echo 1 > /srv/d/one; echo 3 > /srv/d/sub/three
file { '/srv/d': ensure => directory, recurse => true, purge => true }
