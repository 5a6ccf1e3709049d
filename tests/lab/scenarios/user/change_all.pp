# Every property of a user changes.
#
# exits: 2 0
# set: small
# setup:
#   groupadd -g 2000 staff2; useradd -u 1500 -c Ann -d /srv/ann -s /bin/sh ann
user { 'ann':
  ensure           => present,
  uid              => '1501',
  gid              => 'staff2',
  comment          => 'Ann again',
  home             => '/srv/ann2',
  shell            => '/bin/bash',
  groups           => ['games'],
  password         => '!',
  password_min_age => 1,
  password_max_age => 90,
  password_warn_days => 14,
  expiry           => '2031-05-06',
}
