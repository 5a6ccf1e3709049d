backup { 'Home':
  source      => '/home',
  compression => gz,
}

backup { 'mail':
  source => '/var/mail',
  keep   => 30,
}
