# Runs only when something that it listens to changed.
#
# exits: 2 0
# set: small
file { '/srv/conf': content => 'x' }
~> exec { '/bin/sh -c "echo refreshed >> /srv/log"': refreshonly => true }
exec { '/bin/sh -c "echo never >> /srv/log"': refreshonly => true }
