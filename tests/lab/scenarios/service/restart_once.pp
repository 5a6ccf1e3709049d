# Several notify one service: it is restarted once; a stopped one is not started by a notification.
#
# exits: 2 0
# setup:
#   printf '#!/bin/sh\necho start >> /srv/log\nexec sleep 1000\n' > /srv/run; chmod 755 /srv/run; for s in one two; do printf '[Service]\nExecStart=/srv/run\n' > /etc/systemd/system/$s.service; done; systemctl daemon-reload; systemctl start one
file { '/srv/a': content => 'a', notify => Service['one', 'two'] }
file { '/srv/b': content => 'b', notify => Service['one'] }
service { 'one': ensure => running }
service { 'two': ensure => stopped }
