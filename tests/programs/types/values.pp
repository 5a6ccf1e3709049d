# Literals of arguments and defaults are compared with the types of their parameters.
type Site::Port = Integer[1, 65535]
type Site::Tree = Variant[String[1], Array[Site::Tree]]
class site::web(
  Site::Port $port = 80,
  Enum['http', 'https'] $scheme = 'ftp',
  Array[String[1]] $aliases = [],
  Hash[String, Site::Port] $ports = {},
  Optional[Boolean] $tls = undef,
  String $owner = undef,
  Absent::Type $other = 1,
) { }
define site::page(
  String[1] $content,
  Stdlib::Mode $mode = '0644',
  Struct[{ owner => String, Optional[group] => String }] $rights = { owner => 'root' },
  Site::Tree $tree = 'x',
  Pattern[/\A\/[a-z]+\z/] $path = '/',
) { }
class { 'site::web':
  port    => '8080',
  scheme  => "${facts['scheme']}",
  aliases => 'www',
  ports   => { 'a' => 80, 'b' => '81', 'c' => $port },
  tls     => 'true',
  other   => { },
}
site::page { 'index':
  content => '',
  rights  => { owner => 'root', gruop => 'www' },
  tree    => ['a', ['b', [1]]],
}
site::page {
  default:
    content => 7;
  'news':
    path => "/${facts['fqdn']}",
    tree => [$tree, "${tree}", [[]]];
  'none':
    content => undef;
  'more':
    * => { 'rights' => ["${facts['fqdn']}", $group] };
}
Site::Page {
  mode => 644,
  path => "x${facts['fqdn']}",
  tree => "${facts['fqdn']}",
}
class { ['site::web']:
  port    => -1,
  aliases => [*$names, 1],
  ports   => { $name => 'x' },
  tls     => $facts['tls'],
}
class site::base($path, Sensitive[String] $password = 'secret-of-all') { }
class { 'site::base':
  password => Sensitive('x'),
  path     => undef,
}
define site::link(Optional[String] $target, $title_of) { }
site::link { 'a':
  target   => undef,
  title_of => undef,
}
