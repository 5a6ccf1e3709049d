# A job that is there without a name is adopted; another user's job of the same name stays.
#
# exits: 2 0
# setup:
#   printf '*/7 * * * * /bin/seven\n# a comment\n\nA=1\n@daily /bin/day\n' | crontab -u root -; printf '# Puppet Name: seven\n7 7 * * * /bin/other\n' | crontab -u games -
cron { 'seven': command => '/bin/seven', minute => '*/7', user => 'root' }
cron { 'day': ensure => absent, command => '/bin/day', special => 'daily', user => 'root' }
