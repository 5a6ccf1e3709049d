# An alias is as good as the title.
#
# exits: 2 0
file { 'conf': path => '/srv/conf', content => 'x', alias => 'settings' }
exec { '/bin/sh -c "cat /srv/conf > /srv/copy"': creates => '/srv/copy', require => File['settings'] }
file { '/srv/last': content => 'y', require => File['/srv/conf'] }
