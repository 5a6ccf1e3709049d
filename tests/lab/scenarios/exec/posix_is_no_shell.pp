# Without a shell `>` is an argument, unless something in it needs one.
#
# exits: 2 2
exec { '/bin/echo a b': logoutput => true }
exec { '/bin/echo $HOME > /srv/home': }
