# A package was removed, and its configuration is still there.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-conf=1.0 >/dev/null
#   apt-get remove -qq lab-conf >/dev/null
package { 'lab-conf': ensure => purged }
