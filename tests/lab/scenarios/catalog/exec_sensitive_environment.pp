# A sensitive command and environment in a catalog.
#
# exits: 2 2
# compiled: yes
exec { 'go': command => Sensitive('/bin/sh -c "echo $WORD > /srv/word"'), environment => ['WORD=hush', 'OTHER=a=b'], logoutput => true }
exec { 'wrong': command => Sensitive('/bin/sh -c "exit 0"'), unless => Sensitive('/bin/test -e /srv/word'), require => Exec['go'] }
