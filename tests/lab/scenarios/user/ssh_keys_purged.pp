# Keys that nobody manages go.
#
# exits: 2 0
# setup:
#   useradd -m -d /srv/ann ann; mkdir -p /srv/ann/.ssh
#   printf 'ssh-rsa AAAAB3NzaC1yc2E= one\nssh-rsa AAAAB3NzaC1yc2F= two\n# a comment\n' > /srv/ann/.ssh/authorized_keys
#   chown -R ann:ann /srv/ann/.ssh; chmod 700 /srv/ann/.ssh; chmod 600 /srv/ann/.ssh/authorized_keys
user { 'ann': ensure => present, home => '/srv/ann', purge_ssh_keys => true }
ssh_authorized_key { 'two': user => 'ann', type => 'ssh-rsa', key => 'AAAAB3NzaC1yc2F=' }
