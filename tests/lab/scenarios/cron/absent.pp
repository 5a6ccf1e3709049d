# A job goes, and its name with it.
#
# exits: 2 0
# setup:
#   printf '# mine\n# Puppet Name: job\n0 1 * * * /bin/job\n# Puppet Name: other\n@daily /bin/other\n' | crontab -u root -
cron { 'job': ensure => absent }
