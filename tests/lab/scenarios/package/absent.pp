# A package is removed; its configuration stays.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-conf=1.0 >/dev/null
package { 'lab-conf': ensure => absent }
