# Nothing is done, however it is written.
#
# exits: 0 0
# setup:
#   printf '127.0.0.1\tlocalhost\n10.0.0.1    one    eins uno   # yes\n' > /etc/hosts
host { 'one': ip => '10.0.0.1', host_aliases => ['eins', 'uno'] }
host { 'none': ensure => absent }
