exec { '/usr/bin/make': tries => 2, timeout => 0 }
package { 'a': ensure => present }
File { replace => false }
file { '/a': ensure => file, replace => true }
file { '/b': ensure => file }
