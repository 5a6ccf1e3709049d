# A key goes.
#
# exits: 2 0
# setup:
#   useradd -m -d /srv/ann ann; mkdir /srv/ann/.ssh
#   printf 'ssh-rsa AAAA1 one\nssh-rsa AAAA2 two\n' > /srv/ann/.ssh/authorized_keys
#   chown -R ann:ann /srv/ann/.ssh; chmod 700 /srv/ann/.ssh; chmod 600 /srv/ann/.ssh/authorized_keys
ssh_authorized_key { 'one': ensure => absent, user => 'ann' }
