# A repository is cloned.
#
# exits: 2 0
# set: small
# setup:
#   export GIT_AUTHOR_DATE='2024-01-01T00:00:00Z' GIT_COMMITTER_DATE='2024-01-01T00:00:00Z'
#   git config --global init.defaultBranch main; git config --global user.email a@example.com; git config --global user.name A
#   git init -q --bare /srv/shop.git; git clone -q /srv/shop.git /srv/work 2>/dev/null
#   cd /srv/work; echo 1 > file; git add file; git commit -q -m one; git push -q origin main; cd /; rm -rf /srv/work
vcsrepo { '/srv/copy': ensure => present, provider => git, source => '/srv/shop.git' }
