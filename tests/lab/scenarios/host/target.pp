# Another file, which is not there yet.
#
# exits: 2 0
# setup:
#   printf "127.0.0.1 localhost\n" > /etc/hosts
host { 'one': ip => '10.0.0.1', target => '/srv/hosts' }
