# The groups are all that the user is in.
#
# exits: 2 0
# setup:
#   useradd -G games,mail,news ann
user { 'ann': groups => ['mail', 'audio'], membership => inclusive }
