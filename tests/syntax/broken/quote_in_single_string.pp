file { '/etc/motd':
  content => 'don't panic',
  mode    => '0644',
}
notify { 'the dogs' bowl': }
notify { 'b': message => 'it's Bob's "turn"', loglevel => notice }
notify { "c": message => "say "hello" now" }
