user { ensure => present }
user { 'eve': }
