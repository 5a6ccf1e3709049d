# One in a class fails: what requires the class is skipped, the rest of the class is done.
#
# exits: 6 4
# compiled: yes
class broken { exec { '/bin/false': } file { '/srv/a': content => 'a' } }
class after { file { '/srv/b': content => 'b' } }
class other { file { '/srv/c': content => 'c' } }
include broken, after, other
Class['broken'] -> Class['after']
