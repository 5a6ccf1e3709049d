# A file of configuration that was edited is replaced by the new version's.
#
# exits: 2 0
# setup:
#   apt-get install -qq lab-conf=1.0 >/dev/null
#   echo edited > /etc/lab-conf.conf
package { 'lab-conf': ensure => latest, configfiles => replace }
