# A command as a list of words.
#
# exits: 2 0
exec { 'make':
  command => ['/usr/bin/touch', '/srv/a b'],
  creates => '/srv/a b',
}
