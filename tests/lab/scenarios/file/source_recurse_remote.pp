# `recurse => remote` looks at what is in the source only; with `purge` nothing else goes.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/from /srv/to/own
#   echo 1 > /srv/from/one; echo mine > /srv/to/mine; chmod 600 /srv/to/mine
file { '/srv/to': ensure => directory, source => '/srv/from', recurse => remote, mode => '0640' }
