# What would be added.
#
# exits: 0 0
# flags: --noop
ssh_authorized_key { 'one': user => 'root', type => 'ssh-rsa', key => 'AAAA1' }
