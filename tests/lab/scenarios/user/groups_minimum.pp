# The groups are some of those that the user is in.
#
# exits: 2 0
# setup:
#   useradd -G games,mail ann
user { 'ann': groups => ['mail', 'audio'] }
