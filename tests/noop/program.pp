# The program of a command may be a file of the run.
file { '@/tool': content => "#!/bin/sh\n", mode => '0755' }
-> exec { '@/tool': }
