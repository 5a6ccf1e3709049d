wick { 'a': stuff => 'wood' }
