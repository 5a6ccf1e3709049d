# A file is put together, in order.
#
# exits: 2 0
# set: small
concat_file { '/srv/all': tag => 'all', mode => '0640', owner => 'games' }
concat_fragment { 'last': target => '/srv/all', tag => 'all', order => '20', content => "last\n" }
concat_fragment { 'first': target => '/srv/all', tag => 'all', order => '01', content => "first\n" }
concat_fragment { 'middle': target => '/srv/all', tag => 'all', content => "middle\n" }
