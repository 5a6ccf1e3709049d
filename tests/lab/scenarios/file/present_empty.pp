# `present` without content makes an empty file.
#
# exits: 2 0
file { '/srv/empty': ensure => present }
