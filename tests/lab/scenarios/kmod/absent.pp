# Nothing is said of a module any more.
#
# exits: 2 0
# setup:
#   printf 'loop\nfloppy\n' > /etc/modules-load.d/ours.conf
#   printf 'install floppy /bin/false\noptions loop max_loop=8\n' > /etc/modprobe.d/floppy.conf
# puppet:
#   file { '/etc/modules-load.d/ours.conf': content => "loop\n" }
#   file { '/etc/modprobe.d/floppy.conf': content => "options loop max_loop=8\n" }
kmod { 'floppy': ensure => absent }
