file { '/a': content => 'a' }
file { '/b': ensure => file }
user { 'c': uid => '1' }
service { 'd': enable => true }
file { '/e': audit => all }
