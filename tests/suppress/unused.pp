# rtype: allow(RM031)
file { '/a': ensure => file, mode => '0644' }
# rtype: allow(RM999, reason = "there is no such rule")
file { '/b': ensure => file, mode => '0644' }
# rtype: permit(RM031)
file { '/c': ensure => file, mode => '0644' }
