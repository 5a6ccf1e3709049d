# A directory stands where a link shall be: only with `force`.
#
# exits: 6 4
# setup:
#   mkdir /srv/a /srv/b
file { '/srv/a': ensure => link, target => '/etc/hostname', force => true }
file { '/srv/b': ensure => link, target => '/etc/hostname' }
