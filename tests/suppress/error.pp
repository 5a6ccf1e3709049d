# rtype: allow(RM002, RM019, reason = "the server adds it")
file { '/a': ensure => file, mod => '0644' }
# rtype: allow(RM019, reason = "then the type says what is wrong")
file { '/b': ensure => file, mode => 0644 }
