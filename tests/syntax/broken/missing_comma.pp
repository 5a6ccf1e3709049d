user { 'bob':
  ensure => present
  uid => 1,
}
