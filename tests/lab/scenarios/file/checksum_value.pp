# A sum without content or source says nothing.
#
# exits: 0 0
# setup:
#   echo right > /srv/a; echo wrong > /srv/b
file { '/srv/a': checksum => md5, checksum_value => 'a26cd3d2ce4ac17ee2b38f8f3e8ab46b' }
file { '/srv/b': checksum => md5, checksum_value => 'a26cd3d2ce4ac17ee2b38f8f3e8ab46b' }
