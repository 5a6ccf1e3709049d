# `links => follow` manages what the link leads to.
#
# exits: 2 0
# setup:
#   echo x > /srv/target; chmod 600 /srv/target; ln -s target /srv/a
file { '/srv/a': links => follow, mode => '0644' }
