# What `puppet resource` prints, and more.
user { 'bob':
  ensure     => present,
  uid        => 1001,
  gid        => 'users',
  groups     => ['wheel', 'video'],
  membership => minimum,
  home       => "/home/bob\n",
  password   => Sensitive('x'),
  comment    => "on ${facts['os']['family']} and $facts['kernel']",
}
file {
  default:
    ensure => file,
    mode   => '0644';
  ['/etc/a', '/etc/b']:
    owner => root;
  '/etc/c':
    content => Deferred('vault::get', ['x']),
    mode    => 0644,
    *       => { 'group' => 'root' },
    require => [File['/etc/a', '/etc/b'], Package['x']],
}
File { mode => '0600', owner => undef }
/* a long
   comment */
service { 'a': enable => true }
-> service { 'b': enable => false }
~> File['/x', '/y'] <- [User['bob'], Group['g']]
apt::key { 'k': pattern => /ab\/c/, n => 0x1f, f => -1.5, os => $facts['os']['name'] }
file { '/empty': }
