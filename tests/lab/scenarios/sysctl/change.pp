# A value changes.
#
# exits: 2 0
# setup:
#   printf '# ours\nvm.swappiness=60\n\nkernel.domainname = example.com\n' > /etc/sysctl.conf
sysctl { 'vm.swappiness': ensure => present, val => '10' }
sysctl { 'kernel.domainname': ensure => present, val => 'example.com' }
