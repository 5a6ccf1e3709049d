# Default entries of a directory.
#
# exits: 2 0
# setup:
#   mkdir /srv/d; chmod 755 /srv/d
posix_acl { '/srv/d': action => set, permission => ['default:user:games:rwx', 'user:games:r-x'] }
