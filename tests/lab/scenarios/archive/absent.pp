# A file goes.
#
# exits: 2 0
# setup:
#   echo x > /srv/old.tar.gz
archive { '/srv/old.tar.gz': ensure => absent, source => 'file:///srv/from' }
