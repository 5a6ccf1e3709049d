# What is right, and what the mutants make mistakes of.
group { 'web':
  gid => 2000,
}

user { 'deploy':
  ensure   => present,
  gid      => 'web',
  shell    => '/bin/bash',
  password => Sensitive('$6$salt$encrypted'),
}

package { 'nginx':
  ensure => installed,
}

file { '/etc/nginx':
  ensure  => directory,
  mode    => '0755',
  require => Package['nginx'],
}

file { '/etc/nginx/nginx.conf':
  ensure  => file,
  owner   => 'root',
  mode    => '0644',
  content => "worker_processes auto;\n",
  notify  => Service['nginx'],
}

service { 'nginx':
  ensure => running,
  enable => true,
}

host { 'db.example.com':
  ip => '10.0.0.5',
}

file { '/srv/old':
  ensure => absent,
  force  => true,
}
