# Checks run, commands do not.
#
# exits: 0 0
# flags: --noop
exec { 'touch /srv/no': path => '/bin:/usr/bin' }
exec { 'touch /srv/neither': path => '/bin:/usr/bin', onlyif => 'test -e /etc/passwd' }
exec { 'touch /srv/not': path => '/bin:/usr/bin', onlyif => 'test -e /srv/missing' }
