# With libuser's tools: made, changed, removed.
#
# exits: 2 0
# setup:
#   useradd -u 1500 ann; useradd -u 1501 -m gone; groupadd -g 1700 ours
user { 'new': forcelocal => true, uid => 1502, gid => 1700, comment => 'New One', shell => '/bin/sh', home => '/srv/new', groups => ['adm'], password_max_age => 90 }
user { 'ann': forcelocal => true, uid => 1503, comment => 'Ann', expiry => '2030-01-02', password => '$6$a$b' }
user { 'gone': ensure => absent, forcelocal => true, managehome => true }
