user { 'a': password => Sensitive('$6$salt$encrypted') }
user { 'b': password => Deferred('vault', ['b']) }
user { 'c': password => '*' }
user { 'd': password => '!!' }
user { 'e': shell => '/bin/sh' }
user { 'f': password => '' }
