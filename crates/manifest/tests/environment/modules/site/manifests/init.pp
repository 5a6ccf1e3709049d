class site(Integer $port, String $root, Hash $limits = {}) { }
