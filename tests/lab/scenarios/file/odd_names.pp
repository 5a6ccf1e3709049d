# Names with blanks, quotes and letters beyond ASCII.
#
# exits: 2 0
# setup:
#   mkdir '/srv/a b'; echo 1 > '/srv/a b/old $x'
file { '/srv/a b/it\'s "new"': content => 'x' }
file { '/srv/a b/größe': content => "größer\n" }
file { '/srv/a b/old $x': ensure => absent }
