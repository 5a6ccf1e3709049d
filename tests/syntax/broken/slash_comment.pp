// comment
file { '/a': ensure => file }
