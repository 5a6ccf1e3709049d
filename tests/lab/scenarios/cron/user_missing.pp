# The user is not there.
#
# exits: 6 6
# deviates: Puppet counts the job as made before it fails to write it
cron { 'job': command => '/bin/true', user => 'nobody-knows', minute => 7 }
