# Something else is there.
#
# exits: 4 4
# setup:
#   git init -q --bare /srv/shop.git; mkdir /srv/copy; echo x > /srv/copy/file
vcsrepo { '/srv/copy': ensure => present, provider => git, source => '/srv/shop.git' }
