# Attributes of resource defaults, overrides and collectors are those of the type.
class site::settings {
  User { shel => '/bin/sh', shell => '/bin/sh', require => Class['site'] }
  user { 'bob': ensure => present }
  User['bob'] { passwrd => 'hunter22', groups +> ['adm'] }
  User <| title == 'bob' |> { hom => '/x', tag => 'y' }
  Site::Page { titel => 'a' }
  Site::Page <| |> { titel => 'a', title => 'b' }
  Unknown::Type { a => 1 }
}
define site::page($body) {
  notify { $body: }
}
class site::more($type, $users) {
  User['ada'] { uid => 'many', home => undef }
  User { ensure => presnt }
  Class['site::settings'] { depth => 1 }
  Resource['user'] { 'eve': uid => 1 }
  Resource[$type] { 'x': a => 1 }
  create_resources('user', $users)
}
