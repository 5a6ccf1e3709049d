# An archive needs its source, its directory and its user.
#file source.tar
#fails Archive[@/from_nothing.tar]
#fails Archive[@/to_nothing.tar]
#fails Archive[@/temporary.tar]
archive { '@/from_nothing.tar': source => '@/none.tar' }
-> file { '@/after': ensure => file }
archive { '@/to_nothing.tar': source => '@/source.tar', extract => true, extract_path => '@/none' }
archive { '@/temporary.tar': source => 'file://@/source.tar', temp_dir => '@/none' }
