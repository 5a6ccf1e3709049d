# Changes of configuration with augeas, by the provider in Ruby.
#
# exits: 2 0
# ruby: yes
# setup:
#   printf '127.0.0.1 localhost\n' > /srv/hosts
#   printf 'Port 22\nPermitRootLogin yes\n' > /etc/ssh/sshd_config
augeas { 'sshd':
  context => '/files/etc/ssh/sshd_config',
  changes => ['set PermitRootLogin no', 'set X11Forwarding no'],
}
augeas { 'hosts':
  incl    => '/srv/hosts',
  lens    => 'Hosts.lns',
  changes => ['set 01/ipaddr 10.0.0.1', 'set 01/canonical one.example'],
  onlyif  => 'match *[canonical="one.example"] size == 0',
}
augeas { 'never':
  context => '/files/etc/ssh/sshd_config',
  changes => 'set Port 23',
  onlyif  => 'get Port != 22',
}
