service { 'a': enable => 'true' }
file { '/b': ensure => file, replace => "false" }
