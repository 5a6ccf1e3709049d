# A file that an earlier resource writes may have another content when the turn of the others comes.
#file app.ini [s]\nx = 1\n  2\n
#file kept.ini [s]\nx = 1\n  2\n
#fails Ini_setting[continued]
file { '@/app.ini': content => "[s]\ny = 1\n" }
-> ini_setting { 'replaced': path => '@/app.ini', section => 's', setting => 'x', value => '5' }
ini_setting { 'continued': path => '@/kept.ini', section => 's', setting => 'x', value => '5' }
