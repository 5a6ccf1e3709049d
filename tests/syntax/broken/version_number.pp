package { 'x': ensure => 1.2.3 }
