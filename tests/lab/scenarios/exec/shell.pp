# Pipes and quotes are a shell's.
#
# exits: 2 0
exec { 'for i in 1 2 3; do echo "$i"; done | tac > /srv/numbers':
  provider => shell,
  path     => '/bin:/usr/bin',
  creates  => '/srv/numbers',
}
