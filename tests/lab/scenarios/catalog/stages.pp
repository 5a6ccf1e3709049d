# Stages have an order; classes in them go with it.
#
# exits: 2 2
# compiled: yes
stage { 'first': before => Stage['main'] }
stage { 'last': require => Stage['main'] }
class early { exec { '/bin/sh -c "echo early >> /srv/log"': } }
class late { exec { '/bin/sh -c "echo late >> /srv/log"': } }
class { 'late': stage => 'last' }
exec { '/bin/sh -c "echo main >> /srv/log"': }
class { 'early': stage => 'first' }
