# The version is held as it is.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-tool=1.0 >/dev/null
package { 'lab-tool': ensure => '1.0', mark => hold }
