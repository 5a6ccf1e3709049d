# A repository goes.
#
# exits: 2 2
# setup:
#   git init -q /srv/old
vcsrepo { '/srv/old': ensure => absent, provider => git }
