# Another file, which is not there yet.
#
# exits: 2 0
# deviates: programs that do not run as root can look up hosts in the new file
# rtype:
#   run 1: exit 2
#   run 1: event Host[one]/ensure success
#   run 2: exit 0
#   /srv/hosts: mode 0644
# setup:
#   printf "127.0.0.1 localhost\n" > /etc/hosts
host { 'one': ip => '10.0.0.1', target => '/srv/hosts' }
