# A unit that is masked and has no unit file elsewhere, and one that is enabled although it is masked.
#
# exits: 2 0
# setup:
#   printf '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' > /usr/lib/systemd/system/lab.service
#   systemctl daemon-reload; systemctl mask --quiet lab
service { 'lab-none': enable => mask }
service { 'lab': enable => true }
