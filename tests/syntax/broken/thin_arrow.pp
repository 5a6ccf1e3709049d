file { '/a': ensure -> present }
