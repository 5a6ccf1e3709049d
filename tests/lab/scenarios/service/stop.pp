# A service is stopped and disabled.
#
# exits: 2 0
# setup:
#   printf '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' > /etc/systemd/system/lab.service
#   systemctl daemon-reload; systemctl enable --quiet --now lab
service { 'lab': ensure => stopped, enable => false }
