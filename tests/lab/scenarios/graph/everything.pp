# Many types together, the second run with nothing to do.
#
# exits: 2 0
# set: small
# setup:
#   : > /etc/fstab; printf '127.0.0.1\tlocalhost\n' > /etc/hosts
group { 'shop': ensure => present, gid => 2500 }
user { 'shop': ensure => present, uid => 2500, gid => 'shop', home => '/srv/shop', managehome => true }
file { '/srv/shop/etc': ensure => directory, owner => 'shop', mode => '0750' }
ini_setting { 'port': path => '/srv/shop/etc/shop.ini', section => 'http', setting => 'port', value => '80', require => File['/srv/shop/etc'] }
host { 'shop.example.com': ip => '127.0.0.1', host_aliases => 'shop' }
cron { 'shop': command => '/bin/true', user => 'shop', minute => 5 }
mount { '/srv/shop/tmp': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs', options => 'size=1m', require => File['/srv/shop/tmp'] }
file { '/srv/shop/tmp': ensure => directory }
package { 'lab-daemon': ensure => present }
~> service { 'lab-daemon': ensure => running, enable => true }
