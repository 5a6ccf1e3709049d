# A link whose target is not there is as good as another.
#
# exits: 2 0
# setup:
#   ln -s /nowhere /srv/right
file { '/srv/right': ensure => link, target => '/nowhere' }
file { '/srv/new': ensure => link, target => 'also/nowhere' }
