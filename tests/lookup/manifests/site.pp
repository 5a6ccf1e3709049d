$role = 'web'
