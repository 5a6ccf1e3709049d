# Nothing is done where everything is right.
#
# exits: 0 0
# setup:
#   printf 'text' > /srv/right; chmod 640 /srv/right; chown games:mail /srv/right
file { '/srv/right':
  ensure  => file,
  content => 'text',
  owner   => 'games',
  group   => 'mail',
  mode    => '0640',
}
