# Hosts that nobody manages go.
#
# exits: 2 0
# setup:
#   printf '127.0.0.1\tlocalhost\n10.0.0.1 one\n10.0.0.2 two\n' > /etc/hosts
host { 'localhost': ip => '127.0.0.1' }
host { 'two': ip => '10.0.0.2' }
resources { 'host': purge => true }
