# A package that is not there; what needs it is skipped.
#
# exits: 4 4
package { 'lab-nowhere': ensure => installed }
-> file { '/srv/after': content => 'x' }
