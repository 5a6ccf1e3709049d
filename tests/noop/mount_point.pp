# Mounting needs the mount point, unmounting and a line of the table do not.
#fails Mount[@/none/point]
mount { '@/none/point': ensure => mounted, device => 'none', fstype => 'tmpfs', target => '@/fstab' }
mount { '@/none/other': ensure => unmounted, device => 'none', fstype => 'tmpfs', target => '@/fstab' }
