# Keys are added for two users; directory and file are made with the right rights.
#
# exits: 2 0
# setup:
#   useradd -m -d /srv/ann ann
ssh_authorized_key { 'ann@home': user => 'ann', type => 'ssh-ed25519', key => 'AAAAC3NzaC1lZDI1NTE5AAAAIJ9b' }
ssh_authorized_key { 'root@office': user => 'root', type => 'rsa', key => 'AAAAB3NzaC1yc2EAAAAD', options => ['no-pty', 'from="10.0.0.1,10.0.0.2"'] }
