# Attributes that are watched tell what changed in between.
#
# exits: 0 0
# setup:
#   echo a > /srv/a; chmod 600 /srv/a
# between:
#   chmod 644 /srv/a; chown games /srv/a
file { '/srv/a': audit => [mode, owner] }
