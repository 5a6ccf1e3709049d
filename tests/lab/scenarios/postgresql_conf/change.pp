# Lines of a file that its provider parses and writes as a whole.
#
# exits: 2 0
# ruby: yes
# setup:
#   printf '# first\nmax_connections = 100\nport = 5432 # the port\nold = 1\n' > /srv/postgresql.conf
postgresql_conf { 'max_connections': value => '200', target => '/srv/postgresql.conf' }
postgresql_conf { 'port': value => '5432', target => '/srv/postgresql.conf' }
postgresql_conf { 'shared_buffers': value => '1GB', target => '/srv/postgresql.conf' }
postgresql_conf { 'work_mem': value => '4MB', target => '/srv/postgresql.conf' }
postgresql_conf { 'old': ensure => absent, target => '/srv/postgresql.conf' }
