# A bare copy, and a new repository of its own.
#
# exits: 2 0
# setup:
#   git config --global init.defaultBranch main
#   git init -q --bare /srv/shop.git
vcsrepo { '/srv/bare.git': ensure => bare, provider => git, source => '/srv/shop.git' }
vcsrepo { '/srv/own': ensure => present, provider => git }
