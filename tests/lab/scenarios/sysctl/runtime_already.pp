# A value that the kernel has already; it is not changed, for the machines share the host's.
#
# exits: 0 0
sysctl_runtime { 'kernel.ostype': val => 'Linux' }
