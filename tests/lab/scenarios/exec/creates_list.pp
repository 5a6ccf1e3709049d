# Nothing runs as soon as one of several files is there.
#
# exits: 2 0
exec { '/usr/bin/touch /srv/two /srv/one': creates => ['/srv/one', '/srv/two'] }
exec { '/usr/bin/touch /srv/never': creates => ['/srv/nothing', '/etc/passwd'] }
