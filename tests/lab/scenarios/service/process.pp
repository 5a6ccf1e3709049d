# A program without a unit is started, and found in the table of processes.
#
# exits: 2 0
# setup:
#   printf '#!/bin/sh\nexec setsid /srv/worker 7007 </dev/null >/dev/null 2>&1 &\n' > /srv/start
#   cp /bin/sleep /srv/worker; chmod 755 /srv/start
service { 'lab':
  ensure   => running,
  provider => base,
  binary   => '/srv/start',
  pattern  => '/srv/worker 70\d+',
}
