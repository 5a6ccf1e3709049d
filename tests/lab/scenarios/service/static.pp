# A service that nothing can enable, since it does not say for what.
#
# exits: 2 0
# setup:
#   printf '[Service]\nExecStart=/bin/sleep infinity\n' > /etc/systemd/system/lab.service
#   systemctl daemon-reload
service { 'lab': ensure => running, enable => true }
