# Jobs that nobody manages go.
#
# exits: 2 0
# setup:
#   printf '# Puppet Name: job\n0 1 * * * /bin/job\n# Puppet Name: other\n@daily /bin/other\n5 5 * * * /bin/mine\n' | crontab -u root -
cron { 'job': command => '/bin/job', hour => 1, minute => 0 }
resources { 'cron': purge => true }
