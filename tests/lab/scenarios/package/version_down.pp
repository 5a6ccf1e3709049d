# A certain version, older than the one that is there.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-tool=2.0 >/dev/null
package { 'lab-tool': ensure => '1.1' }
