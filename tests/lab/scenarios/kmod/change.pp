# What is said of a module changes; what is said of others and comments stay.
#
# exits: 2 0
# setup:
#   printf '# ours\noptions loop max_loop=8\n\noptions other x=1\nblacklist floppy\n' > /etc/modprobe.d/ours.conf
# puppet:
#   file { '/etc/modprobe.d/ours.conf': content => "# ours\noptions loop max_loop=64\n\noptions other x=1\n" }
kmod { 'loop': target => '/etc/modprobe.d/ours.conf', options => { 'max_loop' => 64 } }
kmod { 'floppy': target => '/etc/modprobe.d/ours.conf', blacklist => false }
