# The place is not there.
#
# exits: 6 6
# deviates: the exit status and the report do not claim that a file system was mounted that was not
# rtype:
#   run 1: exit 4
#   run 1: failed Mount[/srv/not/there]
#   run 1: skipped File[/srv/after]
#   run 2: exit 4
#   run 2: failed Mount[/srv/not/there]
#   run 2: skipped File[/srv/after]
#   /etc/fstab: text "tmpfs /srv/not/there tmpfs defaults 0 0"
#   /srv/after: kind nothing
# setup:
#   : > /etc/fstab
mount { '/srv/not/there': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs' }
-> file { '/srv/after': content => 'x' }
