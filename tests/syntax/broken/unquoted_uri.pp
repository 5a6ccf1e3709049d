file { '/a': source => puppet:///modules/x/y }
