# Hosts are added; what is in the file stays.
#
# exits: 2 0
# set: small
# setup:
#   printf '# ours\n127.0.0.1\tlocalhost  loop\n\n10.0.0.1 one one.example.com # the first\n' > /etc/hosts
host { 'two.example.com': ip => '10.0.0.2', host_aliases => ['two', 'zwei'] }
host { 'six': ip => 'fe80::6', comment => 'the sixth' }
