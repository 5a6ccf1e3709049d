# rtype: allow(RM031, reason = "all bodies of the declaration")
file {
  '/a': ensure => file, mode => '0666';
  '/b': ensure => file, mode => '0666';
}
file {
  # rtype: allow(RM031, reason = "one body of it")
  '/c': ensure => file, mode => '0666';
  '/d': ensure => file, mode => '0666';
}
