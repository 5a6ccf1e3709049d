# Restarted in a way of one's own.
#
# exits: 2 0
# setup:
#   printf '[Service]\nExecStart=/bin/sleep infinity\n' > /etc/systemd/system/lab.service
#   systemctl daemon-reload; systemctl start lab
file { '/srv/one': content => 'x' }
~> service { 'lab': ensure => running, restart => '/bin/sh -c "echo restarted >> /srv/log"' }
