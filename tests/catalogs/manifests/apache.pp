class { 'apache':
  default_vhost => false,
  mpm_module    => 'prefork',
}
apache::vhost { 'www.example.com':
  port     => 443,
  docroot  => '/srv/www',
  ssl      => true,
  ssl_cert => '/etc/ssl/www.crt',
  ssl_key  => '/etc/ssl/www.key',
}
include apache::mod::status
include apache::mod::rewrite
include apache::mod::proxy
include apache::mod::proxy_http
