# A masked service is started: it is unmasked for that.
#
# exits: 2 0
# setup:
#   printf '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' > /lib/systemd/system/lab.service
#   systemctl daemon-reload; systemctl mask --quiet lab
service { 'lab': ensure => running }
