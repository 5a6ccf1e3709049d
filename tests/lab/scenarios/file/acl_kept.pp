# A file with an access control list gets other content, and keeps the list.
#
# exits: 2 0
# deviates: new content is no reason to forget who may read it
# setup:
#   echo old > /srv/a; chmod 640 /srv/a; setfacl -m u:games:rw /srv/a
file { '/srv/a': content => 'new' }
