File { '/etc/motd':
  ensure => file,
}
Apache::Vhost { 'www': port => 80 }
