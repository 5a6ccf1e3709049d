# A job that is there without a name is taken for the one that is wanted, and stays without one.
#
# exits: 0 0
# setup:
#   printf '0 1 * * * /bin/job\n' | crontab -u root -
cron { 'job': command => '/bin/job', hour => 1, minute => 0 }
