# As somebody else, somewhere else.
#
# exits: 2 0
# setup:
#   mkdir /srv/d; chown games:games /srv/d
exec { 'sh -c "id -un > who; pwd >> who"':
  path    => ['/bin', '/usr/bin'],
  user    => 'games',
  group   => 'mail',
  cwd     => '/srv/d',
  umask   => '027',
  creates => '/srv/d/who',
}
