# No source is there: the file that is there stays as it is.
#
# exits: 0 0
# deviates: Puppet says so and counts the file as in sync
# setup:
#   echo old > /srv/all
concat_file { '/srv/all': }
concat_fragment { 'a': target => '/srv/all', source => '/srv/none' }
