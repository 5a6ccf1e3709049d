include firewall
firewall { '100 the web':
  dport  => [80, 443],
  proto  => 'tcp',
  action => 'accept',
}
