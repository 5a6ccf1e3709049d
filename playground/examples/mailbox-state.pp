mailbox { 'ada@example.org':
  ensure  => present,
  quota   => 1024,
  forward => ['a@example.org', 'b@example.org'],
}
