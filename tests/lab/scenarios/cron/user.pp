# Another user's crontab.
#
# exits: 2 0
cron { 'job': command => '/bin/true', user => 'games', minute => 7 }
