# A directory as source: files, links and directories below it are made alike.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/from/a/b /srv/from/e
#   echo 1 > /srv/from/one; echo 2 > /srv/from/a/two; echo 3 > /srv/from/a/b/three; ln -s one /srv/from/l
#   mkdir /srv/to; echo other > /srv/to/other; echo wrong > /srv/to/one
file { '/srv/to': ensure => directory, source => '/srv/from', recurse => true }
