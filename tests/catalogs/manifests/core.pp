# What Puppet has of its own, in all the ways that resources can be written.
class site::base(Array[String] $packages = ['vim', 'less']) {
  package { $packages: ensure => installed }
  file {
    default:
      owner => 'root',
      mode  => '0644';
    '/srv/app/':
      ensure => directory;
    '/srv/app/link':
      ensure => link,
      target => '/etc/hosts';
    '/srv/app/secret':
      content => Sensitive("hunter2\n");
    '/srv/app/later':
      content => Deferred('sprintf', ['later']);
  }
  exec { 'hello':
    command     => ['/bin/echo', 'a b'],
    user        => 'nobody',
    environment => ['LANG=C'],
    refreshonly => true,
    subscribe   => File['/srv/app/secret'],
  }
}
define site::account(Integer $uid, String $shell = '/bin/bash') {
  group { $title: gid => $uid }
  user { $title: uid => $uid, gid => $title, shell => $shell, groups => ['www-data', 'adm'], managehome => true }
}
class { 'site::base': stage => 'main' }
site::account { 'bob': uid => 1001 }
@site::account { 'nobody_wants_me': uid => 1002 }
@user { 'wanted': ensure => present, tag => 'team' }
User <| tag == 'team' |> { shell => '/bin/sh' }
@@file { '/exported': ensure => file }
cron { 'nightly': command => '/bin/true', user => 'bob', hour => [2, 14], minute => '*/10' }
host { 'db.example.com': ip => '192.0.2.7', host_aliases => ['db'] }
mount { '/data': ensure => mounted, device => '/dev/sdb1', fstype => 'ext4', options => 'noatime' }
service { 'cron': ensure => running, enable => true }
tidy { '/var/tmp/old': age => '1w', recurse => true, matches => ['*.tmp'] }
schedule { 'night': range => '0:00 - 23:59' }
file { '/etc/motd': content => 'hi', schedule => 'night', noop => true, loglevel => 'debug', audit => 'mode' }
resources { 'host': purge => false }
notify { 'hello': message => { 'a' => [1, 2.5, true, undef] }, withpath => true }
augeas { 'sysctl': context => '/files/etc/sysctl.conf', changes => ['set vm.swappiness 1'] }
package { 'tree': }
Package['tree'] -> Class['site::base'] ~> Service['cron']
