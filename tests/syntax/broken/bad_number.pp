user { 'bob': uid => 10abc }
