# The place is not there.
#
# exits: 6 6
# setup:
#   : > /etc/fstab
mount { '/srv/not/there': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs' }
-> file { '/srv/after': content => 'x' }
