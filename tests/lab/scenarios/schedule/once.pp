# Once a day, and not a second time.
#
# exits: 2 0
schedule { 'daily1': period => daily, repeat => 1 }
exec { '/bin/sh -c "echo run >> /srv/log"': schedule => 'daily1' }
