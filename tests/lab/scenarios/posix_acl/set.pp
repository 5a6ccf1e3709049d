# Entries are added to a file.
#
# exits: 2 0
# setup:
#   echo x > /srv/a; chmod 640 /srv/a
posix_acl { '/srv/a': action => set, permission => ['user:games:rw-', 'group:mail:r--'] }
