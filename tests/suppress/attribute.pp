file { '/srv/drop':
  ensure => directory,
  # rtype: allow(world-writable, reason = "the line below, however long its value is")
  mode
    => '0777',
}
package { 'nginx':
  ensure => latest, # rtype: allow(RM025, RM021, reason = "half of it is not needed")
}
