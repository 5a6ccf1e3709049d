file { '/a': ensure => directory, mode => '1777' }
file { '/b': ensure => file, mode => '0664' }
file { '/c': ensure => file, mode => 'o-w' }
file { '/d': ensure => directory, mode => 'a=rwx,+t' }
file { '/e': ensure => link, target => '/x', mode => '0777' }
file { '/f': ensure => absent, mode => '0777' }
exec { '/bin/true': umask => '002' }
