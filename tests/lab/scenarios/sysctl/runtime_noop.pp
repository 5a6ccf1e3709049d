# What would be told to the kernel.
#
# exits: 0 0
# flags: --noop
sysctl_runtime { 'vm.swappiness': val => '7' }
