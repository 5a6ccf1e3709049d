# A hash of a password, an account that expires, a home that is made, groups and a comment with odd letters.
#
# exits: 2 2
# between:
#   usermod -G '' -e '' ann
group { ['g1', 'g2']: ensure => present }
user { 'ann':
  ensure     => present,
  uid        => 3100,
  gid        => 'g1',
  groups     => ['g2', 'games'],
  membership => inclusive,
  home       => '/srv/ann',
  managehome => true,
  password   => Sensitive('$6$abc$defghijklmnop'),
  expiry     => '2031-05-06',
  comment    => "Änn, O'Hara",
  shell      => '/bin/sh',
}
