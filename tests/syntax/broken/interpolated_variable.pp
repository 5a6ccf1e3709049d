user { 'bob': home => "/home/$name/${x + 1}" }
