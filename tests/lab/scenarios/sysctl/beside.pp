# A setting is added beside others and one goes; comments, blanks and the lines of others stay.
#
# exits: 2 0
# setup:
#   printf '# old style\n\n# ours\nvm.swappiness = 60\nnet.ipv4.ip_forward=1\nkernel.domainname=a b\n' > /etc/sysctl.conf
sysctl { 'net.ipv4.ip_forward': ensure => absent }
sysctl { 'kernel.sysrq': val => '0' }
