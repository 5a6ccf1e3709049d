mailbox { 'Ada@example.org':
  ensure  => present,
  quota   => '2048',
  forward => ['b@example.org', 'a@example.org'],
}
