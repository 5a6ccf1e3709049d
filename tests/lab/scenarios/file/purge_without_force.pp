# A directory that is purged stays without `force`, and Puppet says each time that it went.
#
# exits: 2 2
# deviates: a directory that stays is not reported as removed in every run, so that a report of a change means one
# rtype:
#   run 1: exit 2
#   run 1: event File[/srv/d/one]/ensure success
#   run 1: event File[/srv/d/sub/three]/ensure success
#   run 2: exit 0
#   /srv/d/sub: kind directory
#   /srv/d/one: kind nothing
#   /srv/d/sub/three: kind nothing
# setup:
#   mkdir -p /srv/d/sub; echo 1 > /srv/d/one; echo 3 > /srv/d/sub/three
file { '/srv/d': ensure => directory, recurse => true, purge => true }
