# A syntax error does not hide the findings of the other statements.
class site::broken($a) {
  file { '/x':
    ensure = file,
  }
}
class site::fine {
  service { 'y':
    ensure => runing,
  }
}
