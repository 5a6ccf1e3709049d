# A part comes from a file.
#
# exits: 2 0
# setup:
#   echo part > /srv/part
concat_file { '/srv/all': tag => 'all' }
concat_fragment { 'a': target => '/srv/all', tag => 'all', source => '/srv/part' }
concat_fragment { 'b': target => '/srv/all', tag => 'all', order => '11', content => "b\n" }
