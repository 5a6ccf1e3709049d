user { 'bob':
  ensure => absent,
  uid    => '1001',
  shell  => '/bin/zsh',
}
file { '/etc/motd':
  ensure => absent,
  owner  => 'root',
}
