# Classes and defined types of the checked files have only their own parameters.
class site::web(Integer $port, String $root = '/srv') { }
define site::page($content, $mode = '0644') { }
define site::user($uid) { }
class { 'site::web':
  port    => 80,
  rooot   => '/srv/www',
  require => Class['site'],
}
site::page { 'index':
  mode => '0600',
}
site::page { 'about':
  contents => 'x',
  content  => 'y',
}
site::page { 'all':
  * => $settings,
}
Site::User { uid => 7 }
site::user { 'bob': }
other::thing { 'x': anything => true }
fille { '/x': }
