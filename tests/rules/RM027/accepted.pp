host { 'db':
  name => 'db2',
  ip   => '10.0.0.1',
}
