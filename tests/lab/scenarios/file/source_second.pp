# The first source that is there is taken.
#
# exits: 2 0
# setup:
#   echo two > /srv/two; echo three > /srv/three
file { '/srv/to': source => ['/srv/one', '/srv/two', '/srv/three'] }
