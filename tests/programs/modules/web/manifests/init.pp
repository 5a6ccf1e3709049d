# The class of the module.
class web (
  Stdlib::Port $port = 80,
) inherits web::params {
  include web::instal
  include apt::update
  apt::key { 'acme': }
  web::page { 'index': }
  web::sight { 'main': }
  notice("${root} ${web::params::rot} ${web::nothing::x} ${web_version} ${weeb_version}")
  file { '/etc/web.conf':
    ensure => file,
    source => 'puppet:///modules/web/web.cnf',
  }
  file { '/etc/web.d/motd':
    ensure  => file,
    content => template('web/motd.erb'),
    source  => ["puppet:///modules/web/motd-${facts['os']['family']}", 'puppet:///modules/web/motd'],
  }
  file { '/etc/web.d/banner':
    ensure  => file,
    content => epp('web/baner.epp'),
  }
  file { '/etc/other':
    ensure  => file,
    content => template('other/other.erb'),
  }
}
