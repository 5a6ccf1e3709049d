# The key changes; other lines stay.
#
# exits: 2 0
# setup:
#   mkdir -p /etc/ssh; printf '# ours\none ssh-rsa AAAA1\ntwo,zwei ssh-rsa AAAA2\n' > /etc/ssh/ssh_known_hosts
sshkey { 'two': type => 'ssh-rsa', key => 'AAAA3', host_aliases => ['deux'] }
