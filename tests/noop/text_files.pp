# Providers of text files need the directory of their file, or the file itself.
#file app.ini
#dir etc
#fails Ini_setting[no directory]
#fails Ini_subsetting[no directory]
#fails File_line[no file]
#fails File_line[absent in no file]
#fails Host[none.example]
#fails Sshkey[none.example@ssh-rsa]
#fails Mount[/none]
ini_setting { 'there': path => '@/app.ini', section => 'a', setting => 'x', value => '1' }
ini_setting { 'new': path => '@/etc/new.ini', section => 'a', setting => 'x', value => '1' }
ini_setting { 'no directory': path => '@/none/app.ini', section => 'a', setting => 'x', value => '1' }
ini_setting { 'absent': ensure => absent, path => '@/none/app.ini', section => 'a', setting => 'x' }
ini_subsetting { 'no directory': path => '@/none/app.ini', section => 'a', setting => 'x', subsetting => 'y', value => '1' }
file_line { 'there': path => '@/app.ini', line => '# end' }
file_line { 'no file': path => '@/none.ini', line => '# end' }
file_line { 'absent in no file': ensure => absent, path => '@/none.ini', line => '# end' }
file { '@/made.ini': ensure => file }
-> file_line { 'made': path => '@/made.ini', line => '# end' }
host { 'new.example': ip => '192.0.2.1', target => '@/etc/hosts' }
host { 'none.example': ip => '192.0.2.1', target => '@/none/hosts' }
sshkey { 'none.example': key => 'AAAA', type => 'ssh-rsa', target => '@/none/keys' }
mount { '/none': ensure => present, device => 'none', fstype => 'tmpfs', target => '@/none/fstab' }
