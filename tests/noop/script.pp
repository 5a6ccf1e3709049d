# A service needs its start script.
#dir init.d
#fails Service[nothing]
service { 'nothing': ensure => running, provider => init, path => '@/init.d', hasstatus => false, pattern => 'no such process' }
