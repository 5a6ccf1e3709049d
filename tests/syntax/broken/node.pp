node default {
  file { '/x': ensure => file }
}
