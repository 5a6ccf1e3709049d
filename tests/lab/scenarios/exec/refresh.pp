# What is notified runs once more, with the command for that.
#
# exits: 2 2
file { '/srv/conf': content => 'x' }
~> exec { 'work':
  command => '/bin/sh -c "echo work >> /srv/log"',
  refresh => '/bin/sh -c "echo again >> /srv/log"',
}
