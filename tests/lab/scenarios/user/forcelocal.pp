# With the local tools.
#
# exits: 4 4
# setup:
#   useradd -u 1500 ann
user { 'ann': forcelocal => true, comment => 'local' }
