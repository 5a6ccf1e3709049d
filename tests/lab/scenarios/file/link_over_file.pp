# A file stands where a link shall be.
#
# exits: 2 0
# setup:
#   echo x > /srv/a
file { '/srv/a': ensure => link, target => '/etc/hostname' }
