# A service is started and enabled.
#
# exits: 2 0
# setup:
#   printf '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' > /etc/systemd/system/lab.service
#   systemctl daemon-reload
service { 'lab': ensure => running, enable => true }
