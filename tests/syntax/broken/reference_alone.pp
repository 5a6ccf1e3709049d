User['bob']
