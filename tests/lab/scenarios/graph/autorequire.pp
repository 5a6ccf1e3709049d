# What is needed comes first without being said: directory, owner, group.
#
# exits: 2 0
file { '/srv/d/f': content => 'x', owner => 'ann', group => 'staff2' }
file { '/srv/d': ensure => directory }
user { 'ann': ensure => present, gid => 'staff2' }
group { 'staff2': ensure => present }
