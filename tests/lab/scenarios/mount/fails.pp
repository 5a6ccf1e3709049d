# The place is not there.
#
# exits: 6 6
# deviates: Puppet counts it as mounted before it fails
# setup:
#   : > /etc/fstab
mount { '/srv/not/there': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs' }
-> file { '/srv/after': content => 'x' }
