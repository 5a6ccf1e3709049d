# The entries are these and no others.
#
# exits: 2 0
# setup:
#   echo x > /srv/a; chmod 640 /srv/a; setfacl -m u:games:rw,g:news:r /srv/a
posix_acl { '/srv/a': action => exact, permission => ['user::rw-', 'group::r--', 'mask::r--', 'other::---', 'user:mail:r--'] }
