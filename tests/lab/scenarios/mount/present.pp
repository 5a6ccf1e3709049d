# Only in fstab.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/m; printf '# file systems\n/dev/none /other ext4 ro 0 2' > /etc/fstab
mount { '/srv/m': ensure => present, device => 'tmpfs', fstype => 'tmpfs', options => 'defaults', dump => '1', pass => 2 }
