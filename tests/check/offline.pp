# Which mount points these are depends on the machine; they are two all the same.
mount { '/a': ensure => mounted, device => '/dev/sdb1', fstype => 'ext4' }
mount { '/b': ensure => mounted, device => '/dev/sdb2', fstype => 'ext4' }
package { 'make': package_settings => 'static' }
Service['gone'] -> Mount['/a']
