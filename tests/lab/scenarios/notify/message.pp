# A message is told each time.
#
# exits: 2 2
notify { 'hello': }
notify { 'greeting': message => "Good\nday", withpath => true }
