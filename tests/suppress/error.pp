# rtype: allow(RM002, RM019, reason = "what makes a resource unusable is told all the same")
file { '/a': ensure => file, mod => '0644' }
# rtype: allow(RM019, reason = "then the type says what is wrong")
file { '/b': ensure => file, mode => 0644 }
