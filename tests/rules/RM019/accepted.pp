file { '/a': ensure => file, mode => '0644', recurselimit => 644, recurse => true }
file { '/b': ensure => file, mode => 'u=rw,go=r' }
exec { '/bin/true': timeout => 644 }
