# A file with an access control list gets other content, and keeps the list.
#
# exits: 2 0
# deviates: users who were given access to a file keep it when its content changes
# rtype:
#   run 1: exit 2
#   run 1: event File[/srv/a]/content success
#   run 2: exit 0
#   /srv/a: acl_access user::rw- user:5:rw- group::r-- mask::rw- other::---
#   /srv/a: text new
# setup:
#   echo old > /srv/a; chmod 640 /srv/a; setfacl -m u:games:rw /srv/a
file { '/srv/a': content => 'new' }
