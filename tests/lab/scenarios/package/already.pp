# It is installed.
#
# exits: 0 0
# setup:
#   apt-get install -qq lab-tool=1.0 >/dev/null
package { 'lab-tool': ensure => present }
