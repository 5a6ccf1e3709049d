# What takes too long is ended.
#
# exits: 4 4
exec { '/bin/sleep 30': timeout => 1 }
