# What is to be absent is.
#
# exits: 0 0
file { '/srv/never': ensure => absent }
