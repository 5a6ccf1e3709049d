# A file that does not fit its sum is an error.
#
# exits: 6 4
# setup:
#   echo hello > /srv/from
archive { '/srv/good': source => 'file:///srv/from', checksum => 'b1946ac92492d2347c6235b4d2611184', checksum_type => 'md5' }
archive { '/srv/bad': source => 'file:///srv/from', checksum => '00000000000000000000000000000000', checksum_type => 'md5' }
