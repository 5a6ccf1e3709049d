# A package that is held by hand gets the newest version when it is declared, and is not held any more.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-tool=1.0 >/dev/null; apt-mark hold lab-tool >/dev/null
package { 'lab-tool': ensure => latest }
