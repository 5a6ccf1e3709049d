# The newest version.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-tool=1.0 >/dev/null
package { 'lab-tool': ensure => latest }
package { 'lab-two': ensure => latest }
