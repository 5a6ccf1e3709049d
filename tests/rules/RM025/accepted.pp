package { 'a': ensure => '1.0' }
package { 'b': ensure => installed }
package { 'latest': ensure => present }
file { '/srv/app': ensure => link, target => 'latest' }
