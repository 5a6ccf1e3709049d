# An entry goes.
#
# exits: 2 0
# setup:
#   echo x > /srv/a; chmod 640 /srv/a; setfacl -m u:games:rw,u:mail:r /srv/a
posix_acl { '/srv/a': action => unset, permission => ['user:games:rw-'] }
