# What would be purged is told.
#
# exits: 0 0
# flags: --noop
# setup:
#   mkdir -p /srv/d; echo 1 > /srv/d/one; echo 2 > /srv/d/two
file { '/srv/d': ensure => directory, recurse => true, purge => true }
file { '/srv/d/one': content => "changed\n" }
