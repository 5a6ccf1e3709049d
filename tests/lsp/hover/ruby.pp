wi▮ck { 'a': st▮uff => 'cotton' }
