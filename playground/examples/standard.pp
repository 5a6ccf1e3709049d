# Types of the standard library, without a type definition.
user { 'ada':
  ensure => present,
  uid    => '1000',
  shell  => '/bin/zsh',
  groups => ['sudo', 'adm'],
}

file { '/etc/motd':
  ensure => file,
  owner  => root,
  mode   => 'u=rw,go=r',
}

host { 'db':
  ip           => '192.0.2.7',
  host_aliases => 'db.example.org',
}
