user 'bob': ensure => present }
user { 'eve': }
