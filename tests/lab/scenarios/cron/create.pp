# Two jobs; what the crontab has stays.
#
# exits: 2 0
# set: small
# setup:
#   printf '# mine\nMAILTO=root\n5 4 * * * /bin/mine\n' | crontab -u root -
cron { 'backup': command => '/bin/backup --all', hour => 3, minute => [0, 30], weekday => 'Mon' }
cron { 'daily': command => 'date > /dev/null', special => daily }
