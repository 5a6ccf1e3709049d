# What an earlier resource removes is not there any longer.
#dir old/deep
#file lines
#fails File[@/old/deep/file]
#fails File_line[l]
file { '@/old': ensure => absent, force => true }
-> file { '@/old/deep/file': ensure => file }
file { '@/lines': ensure => absent }
-> file_line { 'l': path => '@/lines', line => 'x' }
