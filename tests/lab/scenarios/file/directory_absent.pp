# A directory is not removed without `force`, even if it is empty, and Puppet says each time that it is removed.
#
# exits: 2 2
# deviates: the exit status shows that the directory is still there; with Puppet it is reported as removed in every run
# rtype:
#   run 1: exit 4
#   run 1: failed File[/srv/d]
#   run 2: exit 4
#   run 2: failed File[/srv/d]
#   /srv/d: kind directory
# setup:
#   mkdir /srv/d
file { '/srv/d': ensure => absent }
