class { 'ssh::server':
  options => { 'PermitRootLogin' => 'no', 'Port' => [22, 2222] },
}
sshkey { 'git.example.com':
  type => 'ssh-ed25519',
  key  => 'AAAAC3NzaC1lZDI1NTE5AAAAIA',
}
