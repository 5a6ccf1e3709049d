# A workstation, against the standard library: rtype inspect examples/workstation.pp

group { 'staff':
  ensure => present,
}

user { 'alice':
  ensure     => present,
  comment    => 'Alice Liddell',
  gid        => 'staff',
  groups     => ['adm', 'sudo'],
  shell      => '/bin/bash',
  home       => '/home/alice',
  managehome => true,
}

File {
  owner => 'root',
  group => 'root',
}

file {
  '/etc/motd':
    ensure  => file,
    mode    => '0644',
    content => "Welcome.\n";
  '/etc/skel':
    ensure => directory,
    mode   => 'u=rwx,go=rx';
}

host { 'printer.example.com':
  ip           => '192.0.2.7',
  host_aliases => ['printer'],
}

mount { '/srv':
  ensure  => mounted,
  device  => '/dev/disk/by-label/srv',
  fstype  => 'ext4',
  options => 'defaults,noatime',
}

package {
  ['bash', 'coreutils']: ensure => installed;
  'telnet':              ensure => absent;
}

service { 'cron':
  ensure => running,
  enable => true,
}

cron { 'backup':
  command => '/usr/local/bin/backup',
  user    => 'root',
  hour    => 3,
  minute  => 30,
  weekday => ['monday', 'friday'],
}

Package['bash'] -> User['alice']
