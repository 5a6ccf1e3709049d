# Jobs of two users with environments and special times, and a line between them that nobody manages.
#
# exits: 2 2
# setup:
#   printf 'MAILTO=ops\n# by hand\n5 5 * * * /bin/hand\n' | crontab -u games -
# between:
#   crontab -u games -l | sed 's/A=1/A=2/' | crontab -u games -
cron { 'a': command => '/bin/a > /dev/null 2>&1 # x', user => 'games', environment => ['A=1', 'PATH=/bin:/usr/bin'], special => 'reboot' }
cron { 'b': command => '/bin/b %Y', user => 'games', minute => [0, 30], hour => '2-4', weekday => ['mon', 'fri'], month => 'Jan' }
cron { 'c': command => '/bin/c', user => 'root', minute => '*/5', environment => 'MAILTO=""' }
