# The place is not there.
#
# exits: 4 4
# setup:
#   : > /etc/fstab
mount { '/srv/not/there': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs' }
-> file { '/srv/after': content => 'x' }
