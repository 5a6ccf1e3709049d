# Another file, which is not there yet.
#
# exits: 2 0
host { 'one': ip => '10.0.0.1', target => '/srv/hosts' }
