lamp { 'hall': color => green, require => Lamp['a'] }
