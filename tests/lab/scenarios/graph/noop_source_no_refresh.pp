# What would change by its own `noop` refreshes nothing.
#
# exits: 0 0
file { '/srv/a': content => 'a', noop => true }
~> exec { '/bin/touch /srv/heard': refreshonly => true }
