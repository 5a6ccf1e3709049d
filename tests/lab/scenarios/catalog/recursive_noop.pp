# Files of a recursive directory would change, and would notify a class.
#
# exits: 0 0
# compiled: yes
# flags: --noop
# setup:
#   mkdir -p /srv/conf.d /srv/src; echo a > /srv/src/a; echo old > /srv/conf.d/old
class web::service { exec { 'reload': command => '/bin/touch /srv/reloaded', refreshonly => true } }
class web { file { '/srv/conf.d': ensure => directory, recurse => true, purge => true, source => '/srv/src', notify => Class['web::service'] } }
include web
include web::service
