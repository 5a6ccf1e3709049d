user { 'bob': uid => , gid => 1 }
