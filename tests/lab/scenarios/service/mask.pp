# A service is masked, and another one is not any more.
#
# exits: 2 0
# setup:
#   printf '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' > /lib/systemd/system/lab.service
#   cp /lib/systemd/system/lab.service /lib/systemd/system/lab2.service
#   systemctl daemon-reload; systemctl mask --quiet lab2
service { 'lab': enable => mask }
service { 'lab2': enable => true }
