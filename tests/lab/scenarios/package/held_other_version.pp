# A held package gets the version that is declared, and the hold goes or stays as Puppet leaves it.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-tool=1.0 >/dev/null; apt-mark hold lab-tool >/dev/null
package { 'lab-tool': ensure => '2.0' }
