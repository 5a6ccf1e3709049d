service { 'a': enable => true }
service { 'b': enable => manual }
file { '/c': ensure => file, content => 'true' }
# A word of its own here.
file { '/d': ensure => file, replace => yes }
