# A repository goes.
#
# exits: 2 0
# setup:
#   git init -q /srv/old
vcsrepo { '/srv/old': ensure => absent, provider => git }
