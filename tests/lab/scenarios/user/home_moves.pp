# Home moves with its files.
#
# exits: 2 0
# setup:
#   useradd -m -d /srv/ann ann; echo x > /srv/ann/file
user { 'ann': home => '/srv/new', managehome => true }
