# A command runs each time.
#
# exits: 2 2
exec { '/bin/sh -c "echo run >> /srv/log"': }
