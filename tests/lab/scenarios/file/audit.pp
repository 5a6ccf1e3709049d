# What is audited is told from the second run on, where it changed.
#
# exits: 0 0
# setup:
#   echo one > /srv/a; chmod 644 /srv/a
# between:
#   echo two > /srv/a; chmod 600 /srv/a
file { '/srv/a': audit => [content, mode] }
