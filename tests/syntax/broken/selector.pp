user { 'eve': uid => $facts['os']['name'] ? { 'a' => 1, default => 2 }, gid => 1 + 2 }
