# A file goes.
#
# exits: 2 0
# setup:
#   echo old > /srv/all
concat_file { '/srv/all': ensure => absent, tag => 'all' }
