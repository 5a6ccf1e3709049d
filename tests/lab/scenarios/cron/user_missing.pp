# The user is not there.
#
# exits: 6 6
cron { 'job': command => '/bin/true', user => 'nobody-knows', minute => 7 }
