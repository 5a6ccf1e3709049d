file { '/a': ensure => file, require => File['/b'] }
file { '/b': ensure => file, before => Service['c'] }
service { 'c': ensure => running, notify => Exec['d'] }
exec { '/bin/d': alias => 'd', refreshonly => true, before => File['/b'] }
file { '/e': ensure => file, require => [File['/a'], File['/e']] }
