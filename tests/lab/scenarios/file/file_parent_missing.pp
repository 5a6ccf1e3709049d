# The directory above is missing and nobody makes it.
#
# exits: 4 4
file { '/srv/not/there': content => 'x' }
