# A refresh that would come is told, too.
#
# exits: 0 0
# deviates: Puppet tells of a refresh that would come in its log only; rtype in the report as well
# flags: --noop
file { '/srv/a': content => 'a' }
~> exec { '/bin/touch /srv/heard': refreshonly => true }
