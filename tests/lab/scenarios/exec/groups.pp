# A command runs with all groups of its user, or with another group of its own.
#
# exits: 2 0
# setup:
#   groupadd -g 1700 team; useradd -u 1700 -g users -G team,adm -M ann; mkdir -m 777 /srv/out
exec { 'id > /srv/out/ann':
  path     => '/bin:/usr/bin',
  provider => shell,
  user     => 'ann',
  creates  => '/srv/out/ann',
}
exec { 'id > /srv/out/both':
  path     => '/bin:/usr/bin',
  provider => shell,
  user     => 'ann',
  group    => 'team',
  creates  => '/srv/out/both',
}
exec { 'id > /srv/out/group':
  path     => '/bin:/usr/bin',
  provider => shell,
  group    => 'team',
  creates  => '/srv/out/group',
}
