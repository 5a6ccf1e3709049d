# Nothing is done where everything is right.
#
# exits: 0 0
# setup:
#   groupadd -g 2000 staff2; useradd -u 1500 -g 2000 -G games,mail -c Ann -d /srv/ann -s /bin/sh ann
user { 'ann':
  ensure => present, uid => 1500, gid => 2000, groups => ['mail', 'games'], comment => 'Ann', home => '/srv/ann', shell => '/bin/sh',
}
