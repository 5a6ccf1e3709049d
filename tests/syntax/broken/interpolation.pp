file { '/x': ensure => ${foo} }
