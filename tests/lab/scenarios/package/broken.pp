# A package that cannot be installed, and another one that can.
#
# exits: 6 4
package { 'lab-broken': ensure => installed }
package { 'lab-two': ensure => installed }
