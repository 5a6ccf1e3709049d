# Modes of a tree: letters with X, and those of files and directories in octal digits.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/a/sub /srv/b/sub; echo x > /srv/a/x; echo y > /srv/a/sub/y; chmod 700 /srv/a/sub/y; chmod 600 /srv/a/x; cp -r /srv/a/. /srv/b/
file { '/srv/a': recurse => true, mode => 'u+rwX,g-w+rX,o=' }
file { '/srv/b': recurse => true, mode => '0644', owner => 'games' }
