# Several packages in one run.
#
# exits: 2 0
package { ['lab-tool', 'lab-two', 'lab-daemon']: ensure => present }
