# Type, key and options change; other lines stay.
#
# exits: 2 0
# setup:
#   useradd -m -d /srv/ann ann; mkdir /srv/ann/.ssh
#   printf '# mine\nssh-rsa AAAA1 one\nno-pty ssh-rsa AAAA2 two\n' > /srv/ann/.ssh/authorized_keys
#   chown -R ann:ann /srv/ann/.ssh; chmod 700 /srv/ann/.ssh; chmod 600 /srv/ann/.ssh/authorized_keys
ssh_authorized_key { 'one': user => 'ann', type => 'ssh-ed25519', key => 'AAAA3', options => ['command="/bin/date -u"'] }
ssh_authorized_key { 'two': user => 'ann', type => 'ssh-rsa', key => 'AAAA2', options => absent }
