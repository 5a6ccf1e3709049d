# A file changes, the service is restarted once; the unit writes down how often it began.
#
# exits: 2 0
# setup:
#   printf '[Service]\nExecStart=/bin/sh -c "echo began >> /srv/log; exec sleep infinity"\n' > /etc/systemd/system/lab.service
#   systemctl daemon-reload; systemctl start lab; sleep 0.3
file { ['/srv/one', '/srv/two']: content => 'x' }
~> service { 'lab': ensure => running }
