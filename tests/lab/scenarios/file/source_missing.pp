# None of the sources is there.
#
# exits: 4 4
file { '/srv/to': source => ['/srv/one', '/srv/two'] }
