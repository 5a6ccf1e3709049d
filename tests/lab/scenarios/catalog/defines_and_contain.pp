# Defined types within defined types, relations between them and to a class that contains others.
#
# exits: 2 2
# compiled: yes
# between:
#   echo other > /srv/sites/b.conf
define site::part(String $dir) { file { "${dir}/${title}.conf": content => "site ${title}\n" } }
define site(Array[String] $parts = ['a', 'b']) {
  file { "/srv/${title}": ensure => directory, purge => true, recurse => true, force => true }
  $parts.each |$part| { site::part { $part: dir => "/srv/${title}" } }
}
class server::inner { exec { 'inner': command => '/bin/sh -c "echo inner >> /srv/log"', refreshonly => true } }
class server { contain server::inner exec { 'outer': command => '/bin/sh -c "echo outer >> /srv/log"', refreshonly => true } }
site { 'sites': } ~> Class['server']
include server
file { '/srv/after': content => 'x', require => Class['server'] }
