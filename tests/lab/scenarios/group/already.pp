# Nothing is to be done.
#
# exits: 0 0
# setup:
#   groupadd -g 3000 one
group { 'one': ensure => present, gid => 3000 }
group { 'nobody-knows': ensure => absent }
