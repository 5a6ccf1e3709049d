# What would be installed, removed and changed.
#
# exits: 0 0
# flags: --noop
# setup:
#   apt-get install -qq lab-tool=1.0 lab-two >/dev/null
package { 'lab-tool': ensure => latest }
package { 'lab-two': ensure => absent }
package { 'lab-top': ensure => present }
