file { '/etc/sudoers.d': ensure => directory, recurse => true, purge => true, force => true }
tidy { '/tmp': recurse => true }
resources { 'user': purge => true, unless_system_user => false }
file { '/b': ensure => directory, recurse => true, max_files => -1, purge => true }
resources { 'Group': purge => true }
