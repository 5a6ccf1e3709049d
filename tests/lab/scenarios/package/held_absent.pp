# A package that is held by hand is removed when that is declared.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-tool=1.0 >/dev/null; apt-mark hold lab-tool >/dev/null
package { 'lab-tool': ensure => absent }
