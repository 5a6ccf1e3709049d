# A command needs its user. Only root can run commands as another user.
#root
#fails Exec[/bin/true with user]
exec { '/bin/true with user': command => '/bin/true', user => 'h0rse' }
