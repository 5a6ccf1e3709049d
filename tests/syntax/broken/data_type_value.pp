user { 'bob': ensure => Present }
