User { password => 'hunter2' }
user { 'bob': password => '$6$salt$encrypted' }
user { 'eve': }
