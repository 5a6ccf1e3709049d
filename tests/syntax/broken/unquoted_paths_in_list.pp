file { [/etc/a, /etc/b]:
  ensure => file,
}
