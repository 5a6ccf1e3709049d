# A group that is somebody's own cannot go.
#
# exits: 4 4
# setup:
#   useradd -U ann
group { 'ann': ensure => absent }
