file { '/etc/motd':
  require => Package['nginx'] , Service['x'],
}
