# A system user: a low number, no home.
#
# exits: 2 0
user { 'robot': ensure => present, system => true, shell => '/usr/sbin/nologin', home => '/nonexistent' }
