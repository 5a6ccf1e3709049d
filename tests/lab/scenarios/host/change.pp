# Address, aliases and comment change.
#
# exits: 2 0
# setup:
#   printf '# ours\n127.0.0.1\tlocalhost\n10.0.0.1 one one.example.com # the first\n10.0.0.2\ttwo\n' > /etc/hosts
host { 'one': ip => '10.0.1.1', host_aliases => ['eins'], comment => 'changed' }
