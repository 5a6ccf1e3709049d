# A defined type fails in part: what requires it is skipped, what subscribes to it hears nothing, others go on.
#
# exits: 6 4
# compiled: yes
define part(Boolean $works) { file { "/srv/${name}": content => $name } -> exec { "${name}?": command => $works ? { true => '/bin/true', default => '/bin/false' }, unless => $works ? { true => '/bin/true', default => undef } } }
part { 'good': works => true }
part { 'bad': works => false }
exec { 'heard good': command => '/bin/touch /srv/good.heard', refreshonly => true, subscribe => Part['good'] }
exec { 'heard bad': command => '/bin/touch /srv/bad.heard', refreshonly => true, subscribe => Part['bad'] }
file { '/srv/after': content => 'x', require => Part['bad'] }
