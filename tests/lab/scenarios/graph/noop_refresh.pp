# A refresh that would come is told, too.
#
# exits: 0 0
# flags: --noop
file { '/srv/a': content => 'a' }
~> exec { '/bin/touch /srv/heard': refreshonly => true }
