# A directory is not removed without `force`, even if it is empty, and Puppet says each time that it is removed.
#
# exits: 2 2
# deviates: what was not removed is not said to have been removed: the resource fails
# setup:
#   mkdir /srv/d
file { '/srv/d': ensure => absent }
