file { ['/a', '/b']: ensure => file }
service { 'c': ensure => running }
File['/a'] -> Service['c'] ~> File['/b']
File['/a'] <- File['/b']
