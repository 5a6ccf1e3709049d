# A job needs its user.
#fails Cron[job]
cron { 'job': command => '/bin/true', user => 'h0rse' }
