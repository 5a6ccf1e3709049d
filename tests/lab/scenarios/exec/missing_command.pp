# The command is nowhere to be found.
#
# exits: 4 4
exec { 'no-such-command --now': path => '/bin:/usr/bin' }
