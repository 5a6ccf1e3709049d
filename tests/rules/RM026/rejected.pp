file { '/srv/app': ensure => directory }
file { '/srv/app/conf/a.ini': ensure => file }
