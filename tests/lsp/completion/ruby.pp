wick { 'a': st▮ => 'x' }
wick { 'b': stuff => 'c▮' }
