# A file with an access control list gets other content, and keeps the list.
#
# exits: 2 0
# deviates: Puppet loses the list with the old content; rtype keeps it
# setup:
#   echo old > /srv/a; chmod 640 /srv/a; setfacl -m u:games:rw /srv/a
file { '/srv/a': content => 'new' }
