group { 'shop': ensure => present }
user { 'shop':
  ensure     => present,
  gid        => 'shop',
  home       => '/srv/shop',
  managehome => true,
  system     => true,
}
file { '/srv/shop/shop.ini':
  owner   => 'shop',
  mode    => '0640',
  content => "[shop]\nopen = yes\n",
  notify  => Exec['/bin/touch /run/shop.restarted'],
}
exec { '/bin/touch /run/shop.restarted': refreshonly => true }
service { 'cron': ensure => stopped, enable => false }
