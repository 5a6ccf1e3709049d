# A command needs its program and its directory.
#fails Exec[/none/program]
#fails Exec[pr0gram]
exec { '/none/program': }
exec { 'pr0gram': path => ['/usr/bin', '/bin'] }
