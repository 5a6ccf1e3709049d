# Nothing is to be done.
#
# exits: 0 0
# setup:
#   mkdir -p /root/.ssh; printf 'no-pty,no-x11-forwarding ssh-rsa AAAA1 one\n' > /root/.ssh/authorized_keys
ssh_authorized_key { 'one': user => 'root', type => 'ssh-rsa', key => 'AAAA1', options => ['no-pty', 'no-x11-forwarding'] }
