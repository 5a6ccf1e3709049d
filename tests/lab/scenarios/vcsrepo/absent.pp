# A repository goes.
#
# exits: 2 2
# deviates: a repository that is gone is not reported as made in every run
# rtype:
#   run 1: exit 2
#   run 1: event Vcsrepo[/srv/old]/ensure success
#   run 2: exit 0
#   /srv/old: kind nothing
# setup:
#   git init -q /srv/old
vcsrepo { '/srv/old': ensure => absent, provider => git }
