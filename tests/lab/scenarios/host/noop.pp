# What would be added and removed.
#
# exits: 0 0
# flags: --noop
# setup:
#   printf '127.0.0.1\tlocalhost\n10.0.0.1 one\n' > /etc/hosts
host { 'one': ensure => absent }
host { 'two': ip => '10.0.0.2' }
