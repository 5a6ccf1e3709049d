# The usual three: a package, its file, its service.
#
# exits: 2 0
# set: small
package { 'lab-daemon': ensure => installed }
-> file { '/etc/lab-daemon.conf': content => "answer=42\n", mode => '0640' }
~> service { 'lab-daemon': ensure => running, enable => true }
