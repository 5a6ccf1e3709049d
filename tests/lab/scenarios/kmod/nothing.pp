# What shall not be is not, and nothing is written.
#
# exits: 0 0
# puppet:
#   file { '/etc/modprobe.d': ensure => directory }
kmod { 'floppy': blacklist => false, load => false, install => absent }
