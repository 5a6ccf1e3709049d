# A file needs its directory, which an earlier resource may make, and its owner and group.
#dir there
#fails File[@/none/file]
#fails File[@/owned]
#fails File[@/grouped]
#fails File[@/a_file/below]
file { '@/there/file': ensure => file }
file { '@/none/file': ensure => file }
file { '@/owned': ensure => file, owner => 'h0rse' }
file { '@/grouped': content => 'x', group => 'h0rses' }
file { '@/made': ensure => directory }
file { '@/made/file': ensure => file }
file { '@/made/link': ensure => link, target => '/etc' }
file { '@/a_file': ensure => file }
file { '@/a_file/below': ensure => file }
file { '@/none/absent': ensure => absent }
