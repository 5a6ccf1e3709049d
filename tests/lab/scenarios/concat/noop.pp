# What would be written.
#
# exits: 0 0
# flags: --noop
# setup:
#   echo old > /srv/all
concat_file { '/srv/all': tag => 'all' }
concat_fragment { 'a': target => '/srv/all', tag => 'all', content => "a\n" }
