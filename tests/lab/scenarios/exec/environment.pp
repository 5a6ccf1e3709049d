# What the command gets as environment.
#
# exits: 2 0
exec { 'env | grep -E "^(ONE|TWO|LANG|LC_ALL|HOME|USER|PATH)=" | sort > /srv/env':
  provider    => shell,
  path        => '/bin:/usr/bin',
  environment => ['ONE=1', 'TWO=a b'],
  creates     => '/srv/env',
}
