file { '/a': mode => '0644' }
mount { '/srv': device => '/dev/sdb1', fstype => 'ext4' }
