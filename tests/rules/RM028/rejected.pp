exec { '/usr/bin/make': tries => 1, timeout => '300' }
file { '/a': ensure => file, links => manage, replace => true }
