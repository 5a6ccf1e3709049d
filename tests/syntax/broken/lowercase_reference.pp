file { '/x':
  ensure  => directory,
  require => [file['/y'], Package['z']],
  before  => apache::vhost['www'],
}
