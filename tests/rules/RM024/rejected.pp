file { '/etc/sudoers.d': ensure => directory, recurse => true, purge => true, force => true }
tidy { '/tmp': recurse => true }
file { '/b': ensure => directory, recurse => true, max_files => -1, purge => true }
