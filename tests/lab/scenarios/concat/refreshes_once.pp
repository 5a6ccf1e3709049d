# Fragments in their order with line ends added; what listens is refreshed once, and again when a source changes.
#
# exits: 2 2
# setup:
#   echo two > /srv/src
# between:
#   sed -i s/two/2/ /srv/src
concat_file { '/srv/all': owner => 'games', group => 'games', mode => '0640', ensure_newline => true }
concat_fragment { 'b': target => '/srv/all', content => 'two', order => '20' }
concat_fragment { 'a': target => '/srv/all', content => "# managed\n", order => '01' }
concat_fragment { 'c': target => '/srv/all', source => '/srv/src', order => '30' }
Concat_file['/srv/all'] ~> Exec['heard']
exec { 'heard': command => '/bin/sh -c "echo heard >> /srv/log"', refreshonly => true }
