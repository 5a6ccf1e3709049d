file { '/srv/app': ensure => directory }
file { '/srv/app/a.ini': ensure => file }
# What is above may be of somebody else's making.
file { '/etc/nginx/sites/a.conf': ensure => file }
# A copy brings its directories along.
file { '/srv/copy': ensure => directory, recurse => true, source => '/srv/original' }
file { '/srv/copy/conf/a.ini': ensure => file }
# Something else makes the directory.
package { 'nginx': ensure => present }
file { '/srv/app/nginx/a.conf': ensure => file, require => Package['nginx'] }
file { '/srv/app/old/a.conf': ensure => absent }
