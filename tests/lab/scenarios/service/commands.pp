# A service that is a program with commands of its own, and no unit.
#
# exits: 2 0
# setup:
#   printf '#!/bin/sh\nexec sleep 1000\n' > /srv/daemon; chmod 755 /srv/daemon
service { 'own':
  ensure    => running,
  provider  => base,
  hasstatus => true,
  start     => '/bin/touch /srv/running',
  stop      => '/bin/rm /srv/running',
  status    => '/usr/bin/test -e /srv/running',
}
