# A day on which it ends, and no such day any more.
#
# exits: 2 0
# setup:
#   useradd -e 2030-01-01 ann; useradd -e 2030-01-01 bob
user { 'ann': expiry => '2031-12-24' }
user { 'bob': expiry => absent }
