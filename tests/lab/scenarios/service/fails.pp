# A service that does not start; what depends on it is skipped.
#
# exits: 4 4
# setup:
#   printf '[Service]\nType=oneshot\nExecStart=/bin/false\n' > /etc/systemd/system/lab.service
#   systemctl daemon-reload
service { 'lab': ensure => running }
-> file { '/srv/after': content => 'x' }
