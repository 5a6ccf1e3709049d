# What would be made and removed.
#
# exits: 0 0
# flags: --noop
# setup:
#   printf '# Puppet Name: job\n0 1 * * * /bin/job\n' | crontab -u root -
cron { 'job': ensure => absent }
cron { 'new': command => '/bin/new', hour => 1 }
