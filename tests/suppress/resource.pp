# rtype: allow(RM031, reason = "a drop box for everybody on a machine without users")
file { '/srv/drop':
  ensure => directory,
  mode   => '0777',
}
file { '/srv/other':
  ensure => directory,
  mode   => '0777',
}
