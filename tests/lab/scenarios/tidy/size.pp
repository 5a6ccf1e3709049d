# What is large goes.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/t; head -c 3000 /dev/zero > /srv/t/large; head -c 10 /dev/zero > /srv/t/small
tidy { '/srv/t': size => '2k', recurse => true }
