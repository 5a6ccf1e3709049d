user { 'bob': uid => nil }
