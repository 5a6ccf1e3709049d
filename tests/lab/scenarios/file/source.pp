# Content from a file on the machine; its mode is not taken over.
#
# exits: 2 0
# setup:
#   printf 'from\0here\377' > /srv/from; chmod 700 /srv/from
file { '/srv/to': source => '/srv/from' }
