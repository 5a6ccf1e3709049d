# With `replace => false` content that is there stays, and is made where it is not.
#
# exits: 2 0
# setup:
#   echo mine > /srv/a
file { '/srv/a': content => 'theirs', replace => false }
file { '/srv/b': content => 'theirs', replace => false }
