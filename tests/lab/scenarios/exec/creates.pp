# A command runs while what it makes is missing.
#
# exits: 2 0
exec { 'touch /srv/made': path => '/bin:/usr/bin', creates => '/srv/made' }
