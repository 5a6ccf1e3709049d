# A module is loaded at boot, with options and another name.
#
# exits: 2 0
# puppet:
#   file { '/etc/modules-load.d/bonding.conf': content => "bonding\n" }
#   file { '/etc/modprobe.d/bonding.conf': content => "options bonding mode=1 miimon=100\nalias bond0 bonding\n" }
kmod { 'bonding': load => true, options => { 'mode' => 1, 'miimon' => 100 }, aliases => 'bond0' }
