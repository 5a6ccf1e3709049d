# A command runs each time.
#
# exits: 2 2
# set: small
exec { '/bin/sh -c "echo run >> /srv/log"': }
