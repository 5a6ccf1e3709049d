# All is said already, in a file of its own order.
#
# exits: 0 0
# setup:
#   printf 'loop\n' > /etc/modules-load.d/loop.conf
#   printf '# ours\ninstall floppy /bin/false\nblacklist floppy\n' > /etc/modprobe.d/floppy.conf
# puppet:
#   file { '/etc/modules-load.d/loop.conf': content => "loop\n" }
kmod { 'loop': load => true }
kmod { 'floppy': blacklist => true, install => '/bin/false' }
