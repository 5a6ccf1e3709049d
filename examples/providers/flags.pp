flag { 'maintenance':
  ensure => present,
  reason => 'new disks, back at noon',
}
flag { 'no-backup':
  ensure => present,
  reason => 'tapes are full {see the log}',
}
