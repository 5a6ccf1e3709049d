# Another revision is checked out: a tag, then with `latest` the newest of a branch.
#
# exits: 2 0
# setup:
#   export GIT_AUTHOR_DATE='2024-01-01T00:00:00Z' GIT_COMMITTER_DATE='2024-01-01T00:00:00Z'
#   git config --global init.defaultBranch main; git config --global user.email a@example.com; git config --global user.name A
#   git init -q --bare /srv/shop.git; git clone -q /srv/shop.git /srv/work 2>/dev/null
#   cd /srv/work; echo 1 > file; git add file; git commit -q -m one; git tag v1; git push -q origin main v1
#   git clone -q /srv/shop.git /srv/old; git clone -q /srv/shop.git /srv/behind
#   echo 2 > file; git commit -q -am two; git push -q origin main; cd /; rm -rf /srv/work
#   git clone -q /srv/shop.git /srv/newest
vcsrepo { '/srv/newest': ensure => present, provider => git, source => '/srv/shop.git', revision => 'v1' }
vcsrepo { '/srv/behind': ensure => latest, provider => git, source => '/srv/shop.git', revision => 'main' }
