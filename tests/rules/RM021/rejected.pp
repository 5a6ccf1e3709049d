package { 'a': ensure => instaled }
package { 'b': ensure => 'Latest' }
package { 'c': ensure => "presnet" }
file { '/d': ensure => 'direcotry' }
