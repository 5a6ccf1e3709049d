# Special bits that are declared stay when the owner changes.
#
# exits: 2 0
# setup:
#   echo x > /srv/a; chmod 755 /srv/a; mkdir /srv/d; chmod 2775 /srv/d
file { '/srv/a': owner => 'games', group => 'games', mode => '4750' }
file { '/srv/d': ensure => directory, owner => 'games', mode => '2770' }
file { '/srv/t': ensure => directory, mode => '1777' }
