# What is said goes before what a type would do by itself.
file { '/srv/app': ensure => directory, require => File['/srv/app/a.ini'] }
file { '/srv/app/a.ini': ensure => file }
service { 'a': ensure => running, require => File['/srv/app'] }
service { 'b': ensure => running, require => [File['/srv/app'], Service['a']] }
File['/srv/app'] -> Service['b']
