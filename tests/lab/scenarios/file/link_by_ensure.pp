# A path as `ensure` means a link.
#
# exits: 2 0
file { '/srv/l': ensure => '/etc/hostname' }
