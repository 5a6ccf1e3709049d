# The target of a link changes.
#
# exits: 2 0
# setup:
#   ln -s /etc/passwd /srv/l
file { '/srv/l': ensure => link, target => '/etc/hostname' }
