# What is in a directory goes after it.
file { '/srv/app': ensure => directory, require => Service['app'] }
service { 'app': ensure => running }
file { '/srv/app/a.ini': ensure => file, notify => Service['app'] }
