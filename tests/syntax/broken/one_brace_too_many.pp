file { '/etc/motd':
  ensure => file,
}}
