# A key goes.
#
# exits: 2 0
# setup:
#   mkdir -p /etc/ssh; printf 'one ssh-rsa AAAA1\ntwo ssh-rsa AAAA2\n' > /etc/ssh/ssh_known_hosts
sshkey { 'one': ensure => absent, type => 'ssh-rsa' }
