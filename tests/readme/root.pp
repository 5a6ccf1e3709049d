user { 'root':
  ensure => present,
  uid    => 0,
  shell  => '/bin/zsh',
}
