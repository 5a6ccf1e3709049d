# The user is not there.
#
# exits: 6 6
# deviates: the exit status and the report do not claim in every run that a job was made: nothing on the machine has changed
# rtype:
#   run 1: exit 4
#   run 1: failed Cron[job]
#   run 2: exit 4
#   run 2: failed Cron[job]
#   /var/spool/cron/crontabs/nobody-knows: kind nothing
cron { 'job': command => '/bin/true', user => 'nobody-knows', minute => 7 }
