# What would go.
#
# exits: 0 0
# flags: --noop
# setup:
#   printf '127.0.0.1\tlocalhost\n10.0.0.1 one\n' > /etc/hosts
resources { 'host': purge => true }
host { 'localhost': ip => '127.0.0.1' }
