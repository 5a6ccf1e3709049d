# Several conditions hold together; programs are looked for along the path; a command with its output as a condition.
#
# exits: 2 2
# between:
#   touch /srv/stop
exec { 'one': command => 'sh -c "echo one >> /srv/log"', path => ['/usr/bin', '/bin'], unless => ['test -e /srv/none', 'test -e /srv/stop'] }
exec { 'two': command => 'sh -c "echo two >> /srv/log"', path => '/usr/bin:/bin', onlyif => ['test ! -e /srv/none', 'test -e /srv'] }
exec { 'three': command => 'echo $HOME $X; pwd', provider => shell, path => '/usr/bin:/bin', environment => ['X=1', 'HOME=/h'], cwd => '/tmp', logoutput => true }
exec { 'four': command => 'umask > /srv/umask', provider => shell, path => '/usr/bin:/bin', umask => '027', creates => '/srv/umask', user => 'root' }
