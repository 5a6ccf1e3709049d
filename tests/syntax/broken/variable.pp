$x = 1
user { "bob": uid => $x }
user { 'eve': uid => 1 }
