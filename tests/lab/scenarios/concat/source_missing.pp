# No source is there: the file that is there stays as it is.
#
# exits: 0 0
# deviates: the exit status shows that a part of the file is missing; with Puppet it is 0
# rtype:
#   run 1: exit 4
#   run 1: failed Concat_file[/srv/all]
#   run 1: skipped File[/srv/all]
#   run 2: exit 4
#   run 2: failed Concat_file[/srv/all]
#   run 2: skipped File[/srv/all]
#   /srv/all: text "old\n"
# setup:
#   echo old > /srv/all
concat_file { '/srv/all': }
concat_fragment { 'a': target => '/srv/all', source => '/srv/none' }
