# `links => follow` writes the file that the link leads to. Puppet 7 puts a file that everyone can write to in the place of the link.
#
# exits: 2 0
# deviates: the link stays and its target gets the content, as `follow` asks for, and no file is left that every user can write to
# rtype:
#   run 1: exit 2
#   run 1: event File[/srv/a]/content success
#   run 2: exit 0
#   /srv/a: kind link
#   /srv/target: text new
#   /srv/target: mode 0600
# setup:
#   echo old > /srv/target; chmod 600 /srv/target; ln -s target /srv/a
file { '/srv/a': links => follow, content => 'new' }
