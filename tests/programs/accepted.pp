# Nothing is concluded from what only a compiler knows.
class site($ensure, $provider, $title_of, $options) {
  File { owner => 'root' }
  file { $title_of:
    ensure => $ensure,
    source => "puppet:///modules/site/${title_of}",
  }
  file { "${title_of}.d":
    ensure  => directory,
    content => undef,
  }
  package { 'a':
    ensure   => installed,
    provider => $provider,
  }
  exec { 'b':
    command => "make ${title_of}",
    path    => $options['path'],
    require => [File[$title_of], Package['a']],
  }
  if $ensure {
    notify { 'same': message => 'one' }
  } else {
    notify { 'same': message => 'two' }
  }
  create_resources('file', $options)
  include site::other
}
