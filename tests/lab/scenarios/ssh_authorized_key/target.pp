# Another file, in a directory that is there.
#
# exits: 2 0
# setup:
#   mkdir /srv/keys; useradd ann; chown ann /srv/keys
ssh_authorized_key { 'one': user => 'ann', type => 'ssh-rsa', key => 'AAAA1', target => '/srv/keys/ann' }
