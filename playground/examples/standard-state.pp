user { 'ada':
  ensure => present,
  uid    => 1000,
  shell  => '/bin/bash',
  groups => ['adm', 'sudo'],
}

file { '/etc/motd':
  ensure => file,
  owner  => 0,
  mode   => '0644',
}
