# A package with one that it needs.
#
# exits: 2 0
# set: small
package { 'lab-top': ensure => installed }
