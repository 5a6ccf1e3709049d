# A repository goes.
#
# exits: 2 2
# deviates: Puppet says on the second run that it made a repository, and makes none
# setup:
#   git init -q /srv/old
vcsrepo { '/srv/old': ensure => absent, provider => git }
