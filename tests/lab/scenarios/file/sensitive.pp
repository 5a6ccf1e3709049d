# Content that is a secret.
#
# exits: 2 0
# setup:
#   echo old > /srv/key; chmod 600 /srv/key
file { '/srv/key': content => Sensitive("secret\n"), backup => false }
