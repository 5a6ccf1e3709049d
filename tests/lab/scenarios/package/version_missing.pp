# A version that nobody offers.
#
# exits: 4 4
package { 'lab-tool': ensure => '9.9' }
