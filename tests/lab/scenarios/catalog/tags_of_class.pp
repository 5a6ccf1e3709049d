# A run for a tag takes what is in the class of that name.
#
# exits: 2 0
# compiled: yes
# flags: --tags web
class web { file { '/srv/a': content => 'a' } include web::inner }
class web::inner { file { '/srv/b': content => 'b' } }
class db { file { '/srv/c': content => 'c' } }
include web
include db
