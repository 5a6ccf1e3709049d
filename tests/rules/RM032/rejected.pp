file { '/a': }
file { '/b': require => File['/a'] }
