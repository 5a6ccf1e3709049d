# The last job goes, and the crontab stays, empty.
#
# exits: 2 0
# setup:
#   printf '# Puppet Name: job\n0 1 * * * /bin/job\n' | crontab -u root -
cron { 'job': ensure => absent }
