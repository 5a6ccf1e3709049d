# Owner and mode of all that is below; directories can be searched where they can be read.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/d/a/b; echo 1 > /srv/d/one; echo 2 > /srv/d/a/two; ln -s one /srv/d/l
#   chmod 600 /srv/d/one /srv/d/a/two; chmod 700 /srv/d/a
file { '/srv/d': ensure => directory, recurse => true, owner => 'games', mode => '0644' }
