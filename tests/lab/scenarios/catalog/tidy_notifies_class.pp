# What a tidy removes notifies a class, and comes before a defined type.
#
# exits: 2 0
# compiled: yes
# setup:
#   mkdir -p /srv/t; touch -d '10 days ago' /srv/t/a /srv/t/b; touch /srv/t/new
define mark() { exec { "mark ${name}": command => '/bin/sh -c "ls /srv/t > /srv/list"', creates => '/srv/list' } }
class log { exec { 'log': command => '/bin/sh -c "echo tidied >> /srv/log"', refreshonly => true } }
include log
mark { 'm': }
tidy { '/srv/t': age => '1w', recurse => true, type => mtime, notify => Class['log'], before => Mark['m'] }
