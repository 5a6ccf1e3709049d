# What is replaced goes into a bucket of one's own.
#
# exits: 2 0
# deviates: the bucket of rtype is open to its owner only
# setup:
#   printf 'old\n' > /srv/a; printf 'older\n' > /srv/b
filebucket { 'mine': path => '/srv/bucket' }
file { '/srv/a': content => 'new', backup => 'mine' }
file { '/srv/b': ensure => absent, backup => 'mine' }
