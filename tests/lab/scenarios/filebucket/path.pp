# What is replaced goes into a bucket of one's own.
#
# exits: 2 0
# deviates: what was in a file that only its owner could read cannot be read by a group through the bucket
# rtype:
#   run 1: exit 2
#   run 1: event File[/srv/a]/content success
#   run 1: event File[/srv/b]/ensure success
#   run 2: exit 0
#   /srv/bucket: mode 0700
#   /srv/bucket/**: mode 0700
#   /srv/bucket/**/contents: mode 0600
#   /srv/bucket/**/paths: mode 0600
# setup:
#   printf 'old\n' > /srv/a; printf 'older\n' > /srv/b
filebucket { 'mine': path => '/srv/bucket' }
file { '/srv/a': content => 'new', backup => 'mine' }
file { '/srv/b': ensure => absent, backup => 'mine' }
