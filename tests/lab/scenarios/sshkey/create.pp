# Keys of hosts are added.
#
# exits: 2 0
# setup:
#   mkdir -p /etc/ssh
sshkey { 'one.example.com': type => 'ssh-ed25519', key => 'AAAA1', host_aliases => ['one', '10.0.0.1'] }
sshkey { 'two.example.com': type => 'rsa', key => 'AAAA2' }
