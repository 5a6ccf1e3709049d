# Content from a server on the machine, which tells when it was changed last.
#
# exits: 2 0
# setup:
#   mkdir /srv/web; echo served > /srv/web/a; touch -d 2001-02-03 /srv/web/a; printf old > /srv/old; touch -d 2000-01-01 /srv/old
#   printf newer > /srv/newer
#   (cd /srv/web; exec setsid python3 -m http.server --bind 127.0.0.1 8099 >/dev/null 2>&1 </dev/null &)
#   until python3 -c 'import socket; socket.create_connection(("127.0.0.1", 8099))' 2>/dev/null; do sleep 0.1; done
file { '/srv/new': source => ['http://127.0.0.1:8099/none', 'http://127.0.0.1:8099/a'], mode => '0640' }
file { '/srv/old': source => 'http://127.0.0.1:8099/a' }
file { '/srv/newer': source => 'http://127.0.0.1:8099/a' }
