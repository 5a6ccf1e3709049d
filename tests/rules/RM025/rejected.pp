package { 'a': ensure => latest }
package { 'b': ensure => 'latest' }
vcsrepo { '/srv/c': ensure => latest, provider => git, source => 'https://example.com/c.git' }
