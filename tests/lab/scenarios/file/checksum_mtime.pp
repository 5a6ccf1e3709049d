# With `checksum => mtime` the source is copied where the times differ. The copy has a time of its own, so that it is copied each time.
#
# exits: 2 2
# deviates: a source with a time in the future is copied once, so that services that subscribe to the copy are not restarted in every run
# rtype:
#   run 1: exit 2
#   run 1: event File[/srv/to]/content success
#   run 2: exit 0
#   /srv/to: text "new\n"
# setup:
#   echo new > /srv/from; touch -d 2030-01-01 /srv/from; echo old > /srv/to; touch -d 2020-01-01 /srv/to
file { '/srv/to': source => '/srv/from', checksum => mtime }
