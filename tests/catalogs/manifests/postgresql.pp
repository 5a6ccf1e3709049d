class { 'postgresql::globals':
  version => '15',
}
-> class { 'postgresql::server': }
postgresql::server::db { 'shop':
  user     => 'shop',
  password => postgresql::postgresql_password('shop', 'hunter2'),
}
postgresql::server::pg_hba_rule { 'app':
  type        => 'host',
  database    => 'all',
  user        => 'all',
  address     => '192.0.2.0/24',
  auth_method => 'md5',
}
