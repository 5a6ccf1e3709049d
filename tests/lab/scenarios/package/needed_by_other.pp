# What another package needs is removed with it.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-top >/dev/null
package { 'lab-base': ensure => absent }
