# Defaults of a scope, an attribute that is undef, lists with one member, and numbers where text is meant.
#
# exits: 2 0
# compiled: yes
# setup:
#   printf "127.0.0.1 localhost\n" > /etc/hosts
File { owner => 'games', mode => '0600' }
file { ['/srv/a', '/srv/b']: content => 'x', mode => undef }
file { '/srv/c': content => 'c', owner => 0, group => 60, mode => '600' }
host { 'h.example.com': ip => '10.0.0.9', host_aliases => ['h'], comment => undef }
cron { 'j': command => '/bin/true', minute => 5, hour => ['1', 2], weekday => 7, user => 'root' }
user { 'num': ensure => present, uid => '3300', gid => 60, groups => ['games', ['users']].flatten }
