# A link is made.
#
# exits: 2 0
file { '/srv/l': ensure => link, target => '/etc/hostname' }
