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
