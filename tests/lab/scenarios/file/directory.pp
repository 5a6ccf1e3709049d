# Directories are made in order, each after the one above it, whatever the order of the manifest.
#
# exits: 2 0
file { '/srv/a/b/c': ensure => directory }
file { '/srv/a': ensure => directory, mode => '0700' }
file { '/srv/a/b': ensure => directory, owner => 'games' }
