# Another checksum compares as well.
#
# exits: 2 0
# setup:
#   echo right > /srv/a; echo wrong > /srv/b
file { '/srv/a': content => "right\n", checksum => md5 }
file { '/srv/b': content => "right\n", checksum => md5 }
