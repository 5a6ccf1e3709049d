# A file stands where a directory shall be.
#
# exits: 2 0
# setup:
#   echo x > /srv/d
file { '/srv/d': ensure => directory }
