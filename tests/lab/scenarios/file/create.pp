# A file is made, with its mode and owner.
#
# exits: 2 0
# set: small
file { '/srv/motd':
  ensure  => file,
  content => "Welcome.\nBe kind.\n",
  owner   => 'games',
  group   => 'games',
  mode    => '0640',
}
