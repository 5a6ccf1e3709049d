# Virtual resources that are realized, with overrides and defaults; those that are not realized stay away.
#
# exits: 2 0
# compiled: yes
File { mode => '0640' }
@file { '/srv/a': content => 'a', tag => 'one' }
@file { '/srv/b': content => 'b', tag => 'two' }
@user { 'ann': uid => 3000, gid => 'games' }
File <| tag == 'one' |> { owner => 'games' }
realize User['ann']
File <| title == '/srv/a' |> -> file { '/srv/c': content => 'c' }
