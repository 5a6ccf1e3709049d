# The user is not there.
#
# exits: 4 4
cron { 'job': command => '/bin/true', user => 'nobody-knows', minute => 7 }
