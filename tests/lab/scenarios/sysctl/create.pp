# A parameter is added to the file; what the kernel uses now stays.
#
# exits: 2 0
# setup:
#   printf '# ours\nkernel.domainname = example.com\n#net.ipv4.ip_forward=1\n' > /etc/sysctl.conf
sysctl { 'vm.swappiness': ensure => present, val => '10' }
sysctl { 'net.ipv4.ip_local_port_range': ensure => present, val => '1024 65000' }
