# Keys with options for a user whose folder of keys is root's.
#
# exits: 2 0
# setup:
#   useradd -m -d /srv/ann ann; mkdir /srv/ann/.ssh; echo '# mine' > /srv/ann/.ssh/authorized_keys; chown ann /srv/ann/.ssh/authorized_keys
ssh_authorized_key { 'k@one': user => 'ann', type => 'ssh-rsa', key => 'AAAAB3NzaC1yc2EAAAABIwAA', options => ['no-pty', 'command="/bin/echo a,b"', 'from="10.0.0.1"'] }
ssh_authorized_key { 'k two': user => 'ann', type => 'ed25519', key => 'AAAAC3NzaC1lZDI1NTE5AAAA' }
