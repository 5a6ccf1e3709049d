la▮mp { 'hall':
  co▮lor  => gr▮een,
  ensure => pres▮ent,
  lo▮glevel => err,
}
us▮er { 'bob': pass▮word => 'secret' }
