# Binary content is bytes.
#
# exits: 2 0
# compiled: yes
# setup:
#   printf '\000\001' > /srv/b
file { '/srv/a': content => Binary('AAH/gAo=') }
file { '/srv/b': content => Binary('aGkK'), mode => '0600' }
