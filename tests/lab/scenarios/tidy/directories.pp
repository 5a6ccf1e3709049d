# Directories that are old and empty go, too.
#
# exits: 2 0
# deviates: Puppet removes an old directory with the new files in it; rtype leaves what is not empty
# setup:
#   mkdir -p /srv/t/empty /srv/t/full; echo x > /srv/t/full/new; echo x > /srv/t/old
#   touch -d '10 days ago' /srv/t/old /srv/t/empty /srv/t/full
tidy { '/srv/t': age => '1w', recurse => true, rmdirs => true, type => mtime }
