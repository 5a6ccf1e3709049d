# Only the first level.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/d/a/b; echo 1 > /srv/d/one; echo 2 > /srv/d/a/two
file { '/srv/d': ensure => directory, recurse => true, recurselimit => 1, group => 'games' }
