# A package was removed, and its configuration is still there; it is wanted again.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-conf=1.0 >/dev/null
#   echo changed >> /etc/lab-conf.conf
#   apt-get remove -qq lab-conf >/dev/null
package { 'lab-conf': ensure => installed }
