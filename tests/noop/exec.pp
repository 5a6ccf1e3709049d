# A command needs its program, its directory and its user.
#fails Exec[/none/program]
#fails Exec[pr0gram]
#fails Exec[/bin/true with user]
exec { '/none/program': }
exec { 'pr0gram': path => ['/usr/bin', '/bin'] }
exec { '/bin/true with user': command => '/bin/true', user => 'h0rse' }
