file { '/srv': ensure => directory }
# A refresh is more than an order.
exec { '/srv/run': refreshonly => true, subscribe => File['/srv/a'] }
package { 'nginx': }
file { '/srv/a': ensure => file, require => [File['/srv'], Package['nginx']] }
file { '/srv/b': ensure => file, before => File['/srv/a'] }
