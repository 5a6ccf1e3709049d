# A directory makes room for a file, with `force`; the file keeps a copy of what it replaces beside it.
#
# exits: 2 2
# setup:
#   mkdir -p /srv/d/sub; echo x > /srv/d/sub/x; echo old > /srv/f
# between:
#   echo other > /srv/f
file { '/srv/d': ensure => file, content => 'd', force => true }
file { '/srv/f': content => "new\n", backup => '.bak' }
