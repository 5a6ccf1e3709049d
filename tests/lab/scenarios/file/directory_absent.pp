# A directory is not removed without `force`, even if it is empty, and Puppet says each time that it is removed.
#
# exits: 2 2
# deviates: Puppet says each time that it removed what it did not remove; with rtype the resource fails
# setup:
#   mkdir /srv/d
file { '/srv/d': ensure => absent }
