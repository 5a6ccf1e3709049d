file { '/etc/motd':
  content => "hello
  world,
  mode => '0644',
}
