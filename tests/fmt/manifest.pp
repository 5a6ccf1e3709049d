/* Resources
   alone. */
File { mode => '0644' }
file{'/a':ensure=>file,content=>"a b"; '/b': ensure => absent}
user { 'bob':
  ensure => present, uid => 1000,   # his number
  groups => ['a','b'] }
File['/a']->User['bob']


service { 'x': ensure => running, enable => true, hasstatus => true, hasrestart => true, pattern => 'x' }
