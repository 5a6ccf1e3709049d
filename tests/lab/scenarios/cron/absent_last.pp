# The last job goes.
#
# exits: 2 0
# deviates: Puppet leaves a crontab with nothing but its header; rtype writes none and removes what is empty
# setup:
#   printf '# Puppet Name: job\n0 1 * * * /bin/job\n' | crontab -u root -
cron { 'job': ensure => absent }
