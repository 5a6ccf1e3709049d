# Another file, which is not there yet.
#
# exits: 2 0
# deviates: Puppet makes a file of hosts that nobody but root can read
# setup:
#   printf "127.0.0.1 localhost\n" > /etc/hosts
host { 'one': ip => '10.0.0.1', target => '/srv/hosts' }
