# A group with a number, one without, and one for the system.
#
# exits: 2 0
group { 'one': ensure => present, gid => 3000 }
group { 'two': ensure => present, require => Group['one'] }
group { 'three': ensure => present, system => true, require => Group['two'] }
