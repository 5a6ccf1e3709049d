# The server has not what is asked for, and another address has no server.
#
# exits: 4 4
# setup:
#   mkdir /srv/web
#   (cd /srv/web; exec setsid python3 -m http.server --bind 127.0.0.1 8099 >/dev/null 2>&1 </dev/null &)
#   until python3 -c 'import socket; socket.create_connection(("127.0.0.1", 8099))' 2>/dev/null; do sleep 0.1; done
file { '/srv/none': source => 'http://127.0.0.1:8099/none' }
file { '/srv/nobody': source => 'http://127.0.0.1:8098/none' }
file { '/srv/other': content => 'other', require => File['/srv/none'] }
