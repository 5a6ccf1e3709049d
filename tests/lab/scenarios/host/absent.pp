# A host goes.
#
# exits: 2 0
# setup:
#   printf '127.0.0.1\tlocalhost\n10.0.0.1 one\n# between\n10.0.0.2\ttwo\n' > /etc/hosts
host { 'one': ensure => absent }
