# An account with its group, home, key, files and job, in one defined type.
#
# exits: 2 2
# compiled: yes
# between:
#   chown root /srv/home/ann/.profile; usermod -s /bin/false ann
define account(Integer $uid, Array[String] $groups = []) {
  group { $name: gid => $uid }
  user { $name: uid => $uid, gid => $name, groups => $groups, home => "/srv/home/${name}", managehome => true, shell => '/bin/bash', purge_ssh_keys => true, password => Sensitive('!!'), require => File['/srv/home'] }
  file { "/srv/home/${name}/.profile": owner => $name, group => $name, mode => '0640', content => "export A=1\n" }
  file { "/srv/home/${name}/.ssh": ensure => directory, owner => $name, group => $name, mode => '0700' }
  ssh_authorized_key { "${name}@lab": user => $name, type => 'ssh-ed25519', key => 'AAAAC3NzaC1lZDI1NTE5AAAA' }
  cron { "job of ${name}": user => $name, command => '/bin/true', hour => 3, minute => fqdn_rand(60, $name) ? { default => 5 } }
}
file { '/srv/home': ensure => directory }
account { 'ann': uid => 4100, groups => ['games', 'users'] }
