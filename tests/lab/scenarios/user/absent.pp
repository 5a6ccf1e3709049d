# A user goes; home stays.
#
# exits: 2 0
# setup:
#   useradd -m -d /srv/ann ann
user { 'ann': ensure => absent }
