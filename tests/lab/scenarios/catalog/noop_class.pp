# A class that is only looked at changes nothing, and its notifications refresh nothing.
#
# exits: 2 0
# compiled: yes
class done { exec { '/bin/sh -c "echo heard >> /srv/log"': refreshonly => true } file { '/srv/b': content => 'b' } }
class looked2 { file { '/srv/n': content => 'n', noop => true } ~> Class['done'] }
include looked2
include done
