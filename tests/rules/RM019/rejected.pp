File { mode => 600 }
file { '/a': ensure => file, mode => 0644 }
file { '/b': ensure => file, mode => 755 }
file { '/c': ensure => file, mode => 0x1a4 }
file { '/d': ensure => file }
file { '/e': ensure => file }
