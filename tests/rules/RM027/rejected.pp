host { 'db':
  name => 'db',
  ip   => '10.0.0.1',
}
