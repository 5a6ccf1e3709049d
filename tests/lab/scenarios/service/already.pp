# A service runs and is enabled already; one with its full name.
#
# exits: 0 0
# setup:
#   printf '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' > /etc/systemd/system/lab.service
#   systemctl daemon-reload; systemctl enable --quiet --now lab
service { 'lab.service': ensure => running, enable => true }
service { 'cron': ensure => true }
