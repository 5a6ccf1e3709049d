# Directories that are old and empty go, too.
#
# exits: 2 0
# deviates: files that are too new to be removed are not lost with the old directory that they are in
# rtype:
#   run 1: exit 2
#   run 1: event File[/srv/t/empty]/ensure success
#   run 1: event File[/srv/t/old]/ensure success
#   run 2: exit 0
#   /srv/t/full: kind directory
#   /srv/t/full/new: kind file
#   /srv/t/empty: kind nothing
#   /srv/t/old: kind nothing
# setup:
#   mkdir -p /srv/t/empty /srv/t/full; echo x > /srv/t/full/new; echo x > /srv/t/old
#   touch -d '10 days ago' /srv/t/old /srv/t/empty /srv/t/full
tidy { '/srv/t': age => '1w', recurse => true, rmdirs => true, type => mtime }
