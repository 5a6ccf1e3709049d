# A user needs the groups that it is to be in.
#fails User[h0rse]
#fails User[h0rse2]
#fails User[h0rse3]
user { 'h0rse': ensure => present, gid => 'h0rses' }
user { 'h0rse2': ensure => present, gid => 47110815 }
user { 'h0rse3': ensure => present, groups => ['h0rses'] }
#fails User[h0rse4]
user { 'h0rse4': ensure => present, shell => '@/none' }
