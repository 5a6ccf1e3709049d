# A file system is mounted and stands in fstab.
#
# exits: 2 0
# set: small
# setup:
#   mkdir -p /srv/m
#   printf '# file systems\n/dev/none /other ext4 ro 0 2\n' > /etc/fstab
mount { '/srv/m': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs', options => 'size=1m,mode=0700' }
