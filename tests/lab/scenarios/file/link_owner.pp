# The owner of a link, not of its target.
#
# exits: 2 0
# setup:
#   echo x > /srv/target; ln -s target /srv/a
file { '/srv/a': owner => 'games' }
