# Of several sources the first that exists; one is made in the run.
#
# exits: 2 0
# setup:
#   printf part > /srv/part
file { '/srv/made': content => "made\n" }
concat_file { '/srv/all': tag => 'all', ensure_newline => true, require => File['/srv/made'] }
concat_fragment { 'a': target => '/srv/all', source => ['/srv/none', '/srv/part', '/srv/made'] }
concat_fragment { 'b': tag => 'all', order => '11', source => '/srv/made' }
