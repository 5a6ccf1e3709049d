# Commands of a database, unless a query finds that they were run, and after a notification.
#
# exits: 2 0
# ruby: yes
# setup:
#   systemctl start postgresql
#   for _ in $(seq 50); do ! su postgres -c 'psql -c "select 1"' >/dev/null 2>&1 || break; sleep 0.2; done
# between:
#   su postgres -c "psql -Atc 'select datname from pg_database order by 1'" > /srv/databases
# ignore:
#   /var/lib/postgresql/**  the files of the database
#   /var/log/**             its log
#   /run/**                 its socket
postgresql_psql { 'create shop':
  command    => 'CREATE DATABASE shop',
  unless     => "SELECT 1 FROM pg_database WHERE datname = 'shop'",
  db         => 'postgres',
  psql_user  => 'postgres',
  psql_group => 'postgres',
  psql_path  => '/usr/bin/psql',
  cwd        => '/tmp',
}
postgresql_psql { 'on notification':
  command     => 'CREATE DATABASE depot',
  refreshonly => true,
  db          => 'postgres',
  psql_user   => 'postgres',
  psql_group  => 'postgres',
  psql_path   => '/usr/bin/psql',
  cwd         => '/tmp',
  subscribe   => Postgresql_psql['create shop'],
}
