# Everything that would change is told, and nothing does.
#
# exits: 0 0
# flags: --noop
# set: small
# setup:
#   echo a > /srv/a; echo b > /srv/b; chmod 600 /srv/b; ln -s a /srv/l
file { '/srv/a': ensure => absent }
file { '/srv/b': content => 'new', mode => '0644', owner => 'games' }
file { '/srv/c': content => 'c' }
file { '/srv/d': ensure => directory }
file { '/srv/l': ensure => link, target => 'b' }
