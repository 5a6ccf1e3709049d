class { 'mysql::server':
  root_password    => 'hunter2',
  override_options => { 'mysqld' => { 'max_connections' => 200 } },
}
mysql::db { 'shop':
  user     => 'shop',
  password => 'hunter2',
  host     => 'localhost',
  grant    => ['SELECT', 'UPDATE'],
}
