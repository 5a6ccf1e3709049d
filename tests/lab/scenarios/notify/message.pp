# A message is told each time.
#
# exits: 2 2
# set: small
notify { 'hello': }
notify { 'greeting': message => "Good\nday", withpath => true }
