file { '/srv': ensure => directory }
file { '/srv/a': ensure => file, require => File['/srv'] }
group { 'staff': }
user { 'bob': gid => 'staff', require => [Group['staff']] }
