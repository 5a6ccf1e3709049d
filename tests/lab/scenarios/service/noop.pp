# What would be started, stopped, enabled.
#
# exits: 0 0
# flags: --noop
# setup:
#   printf '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' > /etc/systemd/system/lab.service
#   systemctl daemon-reload
service { 'lab': ensure => running, enable => true }
service { 'cron': ensure => stopped, enable => mask }
