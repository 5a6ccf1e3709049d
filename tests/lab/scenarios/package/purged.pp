# A package goes with its configuration.
#
# exits: 2 0
# set: small
# setup:
#   apt-get install -qq lab-conf=1.0 lab-tool >/dev/null
#   apt-get remove -qq lab-tool >/dev/null
package { 'lab-conf': ensure => purged }
package { 'lab-tool': ensure => purged }
