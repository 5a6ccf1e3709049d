include foo
notice("x")
user { 'eve': uid => lookup('x') }
