File { mode => '0666' }
file { '/a': ensure => file }
file { '/b': ensure => directory, mode => '777' }
file { '/c': ensure => file, mode => 'a+w' }
file { '/d': ensure => file, mode => 'u=rw,o=rw' }
