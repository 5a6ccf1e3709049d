# Ages of the password.
#
# exits: 2 0
# setup:
#   useradd ann
user { 'ann': password_min_age => 2, password_max_age => 30, password_warn_days => 5 }
