# A line is taken out of a file that an earlier resource makes.
file { '@/made.ini': content => "x\n" }
-> file_line { 'gone': ensure => absent, path => '@/made.ini', line => 'y' }
