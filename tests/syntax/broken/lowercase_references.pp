file['/x'] -> service['y']
File['/x'] -> service['y']
foo::bar['a'] ~> File["it's [b]"] -> foo::baz['c']
