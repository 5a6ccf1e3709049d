lamp { 'hall':
  ensure => present,
  level  => '3',
}
cron { 'backup':
  command  => '/bin/true',
  month    => 'January',
  weekday  => ['mon'],
}
user { 'bob': password => 'secret', groups => ['a', 'b'] }
