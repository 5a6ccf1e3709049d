# Files by patterns or by size, without their directories; a tidy of what is not there.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/t/cache.d /srv/t/data; echo 1 > /srv/t/cache.d/a.tmp; echo 2 > /srv/t/data/b.tmp; echo 3 > /srv/t/data/c; touch -d '3 days ago' /srv/t/cache.d/* /srv/t/data/*
tidy { '/srv/t': recurse => true, matches => ['*.tmp', 'x[0-9]'], size => '1b', rmdirs => false }
tidy { '/srv/u': recurse => 1 }
