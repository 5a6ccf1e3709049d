file { '/a': content => @(END) }
