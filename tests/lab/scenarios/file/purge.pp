# What nobody manages goes, apart from what is ignored; a directory goes with `force`.
#
# exits: 2 0
# set: small
# setup:
#   mkdir -p /srv/d/sub /srv/d/keep; echo 1 > /srv/d/one; echo 2 > /srv/d/two; echo 3 > /srv/d/sub/three
#   echo 4 > /srv/d/four.local; ln -s one /srv/d/link; echo 5 > /srv/d/keep/five
file { '/srv/d': ensure => directory, recurse => true, purge => true, force => true, ignore => '*.local' }
file { '/srv/d/one': ensure => file }
file { '/srv/d/keep': ensure => directory }
