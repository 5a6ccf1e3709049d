# Mistakes in resources; checked without looking at any machine.
user { 'bob':
  ensure   => presnt,
  uid      => 'twelve',
  password => 'too:short',
  shel     => '/bin/sh',
}

user { 'bob': }

lamp { 'x': }

host { 'a': ip => '192.0.2.300' }

if $facts['kernel'] == 'Linux' {
  user { 'hidden': }
}

cron { 'x': command => 'true', minute => 60 }

file { '/etc/motd': mode => 644, content => 'a', source => '/b' }
