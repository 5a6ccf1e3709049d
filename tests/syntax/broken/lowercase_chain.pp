file['/a'] -> service['b']
