# A module would be blacklisted.
#
# exits: 0 0
# flags: --noop
# puppet:
#   file { '/etc/modprobe.d/floppy.conf': content => "blacklist floppy\n" }
kmod { 'floppy': blacklist => true }
