# With `force` a directory goes with all that is in it.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/d/e; echo x > /srv/d/e/f; ln -s f /srv/d/e/l
file { '/srv/d': ensure => absent, force => true }
