# Numbers order as numbers; every part gets an end of line where it has none.
#
# exits: 2 0
concat_file { '/srv/all': tag => 'all', order => 'numeric', ensure_newline => true }
concat_fragment { 'b': target => '/srv/all', tag => 'all', order => '10', content => 'ten' }
concat_fragment { 'a': target => '/srv/all', tag => 'all', order => '9', content => 'nine' }
