# What was started just now is not restarted.
#
# exits: 2 0
# setup:
#   printf '[Service]\nExecStart=/bin/sh -c "echo began >> /srv/log; exec sleep infinity"\n' > /etc/systemd/system/lab.service
#   systemctl daemon-reload
file { '/srv/one': content => 'x' }
~> service { 'lab': ensure => running }
-> exec { '/bin/sleep 0.3': refreshonly => true, subscribe => File['/srv/one'] }
