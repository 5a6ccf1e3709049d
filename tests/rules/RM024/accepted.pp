file { '/a': ensure => directory, recurse => true, recurselimit => 1, purge => true }
file { '/b': ensure => directory, recurse => true, max_files => 50, purge => true }
file { '/c': ensure => directory, purge => true }
file { '/d': ensure => directory, recurse => true }
tidy { '/tmp': recurse => true, age => '1w' }
tidy { '/var': recurse => 1 }
resources { 'user': purge => true }
resources { 'host': purge => true }
