# What is old goes, at every depth.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/t/a/b; for f in /srv/t/old /srv/t/a/old /srv/t/a/b/old; do echo x > $f; touch -d '10 days ago' $f; done
#   echo x > /srv/t/new; echo x > /srv/t/a/new
tidy { '/srv/t': age => '1w', recurse => true, type => mtime }
