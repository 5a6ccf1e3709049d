# Not deeper than `recurselimit`, and without what is ignored.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/from/a/b
#   echo 1 > /srv/from/one; echo 2 > /srv/from/a/two; echo 3 > /srv/from/a/b/three; echo t > /srv/from/a/x.tmp
file { '/srv/to': ensure => directory, source => '/srv/from', recurse => true, recurselimit => 2, ignore => '*.tmp' }
