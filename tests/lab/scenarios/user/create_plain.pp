# A user about whom nothing is said.
#
# exits: 2 0
user { 'ann': ensure => present }
