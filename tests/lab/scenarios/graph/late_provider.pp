# A command that comes with the run serves what follows.
#
# exits: 2 0
file { '/srv/tool': content => "#!/bin/sh\ntouch /srv/made\n", mode => '0755' }
-> exec { '/srv/tool': creates => '/srv/made' }
