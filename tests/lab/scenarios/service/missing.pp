# There is no such service: it can be stopped, and not started.
#
# exits: 4 4
service { 'lab-none': ensure => stopped }
service { 'lab-nothing': ensure => running }
