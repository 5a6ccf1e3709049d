# Files of a recursive directory that is purged notify a class and come before a defined type: the service is restarted once.
#
# exits: 2 0
# set: small
# compiled: yes
# setup:
#   mkdir -p /srv/conf.d /srv/src; echo a > /srv/src/a; echo b > /srv/src/b; echo old > /srv/conf.d/old
define step(String $text) { exec { "step ${name}": command => "/bin/sh -c 'echo ${text} >> /srv/log'", refreshonly => true } }
class web::service { exec { 'reload': command => '/bin/sh -c "echo reload >> /srv/log"', refreshonly => true } }
class web {
  file { '/srv/conf.d': ensure => directory, recurse => true, purge => true, source => '/srv/src', notify => Class['web::service'], before => Step['late'] }
  step { 'late': text => 'late', subscribe => File['/srv/conf.d'] }
}
include web
include web::service
