file { '/a': ensure => file; mode => '0644' }
host { 'a': ip => '::1'; 'b': ip => '::2' }
