# A user with all that one usually says.
#
# exits: 2 0
group { 'staff2': ensure => present, gid => '2000' }
user { 'ann':
  ensure     => present,
  uid        => '1500',
  gid        => 'staff2',
  groups     => ['games', 'mail'],
  comment    => 'Ann Müller,,,',
  home       => '/srv/ann',
  shell      => '/bin/sh',
  managehome => true,
  password   => '$6$saltsalt$hVGbYjB8yRNuXJX2yJBGe8ycg1.kpdN0mGeOd0zSzUAiVVkfiKVIJDYZQcTnx9Zgmvb8dqFbs3cgLmU1Q4P8L0',
}
