# A file of configuration that was edited stays.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-conf=1.0 >/dev/null
#   echo edited > /etc/lab-conf.conf
package { 'lab-conf': ensure => '2.0' }
