# What would be fetched.
#
# exits: 0 0
# flags: --noop
# setup:
#   echo hello > /srv/from
archive { '/srv/file': source => 'file:///srv/from' }
