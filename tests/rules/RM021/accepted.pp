package { 'a': ensure => '1.2.3' }
package { 'b': ensure => 'latest-1' }
package { 'c': ensure => installed }
package { 'd': ensure => 'held' }
package { 'e': ensure => '2:1.0~rc1' }
file { '/f': ensure => '/file' }
file { '/g': ensure => link, target => 'notlinked/x' }
file { '/h': ensure => link, target => 'current' }
