# A package with one that it needs.
#
# exits: 2 0
package { 'lab-top': ensure => installed }
