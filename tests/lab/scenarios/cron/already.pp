# Nothing is to be done.
#
# exits: 0 0
# setup:
#   printf '# Puppet Name: job\n0 1 * * * /bin/job\n' | crontab -u root -
cron { 'job': command => '/bin/job', hour => 1, minute => 0 }
