# Values of classes, defined types, conditions and lambdas are checked where they do not depend on variables.
class site::files($owner, String $mode = '0644') {
  file { '/etc/a':
    ensure => present,
    mode   => 644,
    owner  => $owner,
  }
  if $facts['os']['family'] == 'Debian' {
    file { "/etc/${owner}":
      ensure => presnt,
    }
  } else {
    service { ['a', $owner]:
      ensure => runing,
      enable => $owner ? { 'x' => true, default => false },
    }
  }
  ['b', 'c'].each |$name| {
    user { $name:
      shel   => '/bin/sh',
      groups => ['a', $owner],
    }
  }
  cron { 'clean':
    * => { command => 'x', minut => 5 },
  }
  cron { 'all':
    * => $owner,
  }
}
