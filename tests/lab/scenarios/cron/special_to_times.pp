# From a name for the times to times.
#
# exits: 2 0
# setup:
#   printf '# Puppet Name: job\n@daily /bin/job\n' | crontab -u root -
cron { 'job': command => '/bin/job', special => absent, hour => 4, minute => 5 }
