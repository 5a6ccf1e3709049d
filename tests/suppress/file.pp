# rtype: allow-file(RM031, reason = "machines for experiments")
file { '/a': ensure => file, mode => '0666' }
file { '/b': ensure => file, mode => '0666' }
