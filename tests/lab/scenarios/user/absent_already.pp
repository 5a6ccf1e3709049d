# Who is to be absent is.
#
# exits: 0 0
user { 'nobody-knows': ensure => absent }
