# A certain version, newer than the one that is there.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-tool=1.0 >/dev/null
package { 'lab-tool': ensure => '1.1' }
