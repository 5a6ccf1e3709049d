# Fetched from a server on this machine.
#
# exits: 2 0
# setup:
#   mkdir /srv/www; echo hello > /srv/www/file
#   cd /srv/www; python3 -m http.server --bind 127.0.0.1 8765 >/dev/null 2>&1 &
#   sleep 1
archive { '/srv/file': source => 'http://127.0.0.1:8765/file' }
