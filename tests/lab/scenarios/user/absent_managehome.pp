# A user goes with home.
#
# exits: 2 0
# setup:
#   useradd -m -d /srv/ann ann; echo x > /srv/ann/file
user { 'ann': ensure => absent, managehome => true }
