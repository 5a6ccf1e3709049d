# A file that is there is put right, and what listens hears of it.
#
# exits: 2 0
# setup:
#   echo old > /srv/all; chmod 600 /srv/all
concat_file { '/srv/all': tag => 'all' }
~> exec { '/usr/bin/touch /srv/heard': refreshonly => true }
concat_fragment { 'a': target => '/srv/all', tag => 'all', content => "a\n" }
