# Checks decide; of several all must allow it.
#
# exits: 2 2
# setup:
#   touch /srv/there
exec { 'yes': command => 'echo yes >> /srv/log', onlyif => 'test -e /srv/there', provider => shell, path => '/bin:/usr/bin' }
exec { 'no': command => 'echo no >> /srv/log', onlyif => ['test -e /srv/there', 'test -e /srv/missing'], provider => shell, path => '/bin:/usr/bin' }
exec { 'not': command => 'echo not >> /srv/log', unless => 'test -e /srv/there', provider => shell, path => '/bin:/usr/bin' }
exec { 'unless': command => 'echo unless >> /srv/log', unless => 'test -e /srv/missing', provider => shell, path => '/bin:/usr/bin' }
