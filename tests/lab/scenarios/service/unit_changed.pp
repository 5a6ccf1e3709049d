# The unit's own file changes, and it is restarted as it says now.
#
# exits: 2 0
# setup:
#   printf '[Service]\nExecStart=/bin/sh -c "echo old >> /srv/log; exec sleep infinity"\n' > /etc/systemd/system/lab.service
#   systemctl daemon-reload; systemctl start lab; sleep 0.3
file { '/etc/systemd/system/lab.service':
  content => "[Service]\nExecStart=/bin/sh -c \"echo new >> /srv/log; exec sleep infinity\"\n",
}
~> service { 'lab': ensure => running }
-> exec { '/bin/sleep 0.3': refreshonly => true, subscribe => File['/etc/systemd/system/lab.service'] }
