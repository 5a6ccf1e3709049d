# With the local tools.
#
# exits: 2 0
# setup:
#   useradd -u 1500 ann
user { 'ann': forcelocal => true, comment => 'local' }
