# What subscribes to a tidy is refreshed when something was removed, like what the tidy notifies.
#
# exits: 2 0
# deviates: who subscribes to a tidy learns that something was removed; with Puppet only `notify` of the tidy works
# rtype:
#   run 1: exit 2
#   run 1: event File[/srv/t/a]/ensure success
#   run 1: event File[/srv/t/b]/ensure success
#   run 1: event Exec[notified]/refresh success
#   run 1: event Exec[subscribed]/refresh success
#   run 2: exit 0
#   /srv/log: text "notified\nsubscribed\n"
# setup:
#   mkdir -p /srv/t; touch -d '10 days ago' /srv/t/a /srv/t/b; touch /srv/t/new
tidy { '/srv/t': age => '1w', recurse => true, type => mtime, notify => Exec['notified'] }
exec { 'notified': command => '/bin/sh -c "echo notified >> /srv/log"', refreshonly => true }
exec { 'subscribed': command => '/bin/sh -c "echo subscribed >> /srv/log"', refreshonly => true, subscribe => Tidy['/srv/t'] }
