# A parameter goes.
#
# exits: 2 0
# setup:
#   printf '# ours\nvm.swappiness = 60\nkernel.domainname = example.com\n' > /etc/sysctl.conf
sysctl { 'vm.swappiness': ensure => absent }
