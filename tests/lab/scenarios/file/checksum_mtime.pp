# With `checksum => mtime` the source is copied where the times differ. The copy has a time of its own, so that it is copied each time.
#
# exits: 2 2
# deviates: the copy gets the time of a source that is newer than now, so that it is copied once
# setup:
#   echo new > /srv/from; touch -d 2030-01-01 /srv/from; echo old > /srv/to; touch -d 2020-01-01 /srv/to
file { '/srv/to': source => '/srv/from', checksum => mtime }
