file { '/etc/motd':
  mode => 644,
  owner => root root,
}
