# The hash changes, and is shown by nobody.
#
# exits: 2 0
# setup:
#   useradd -p '$6$old$8JrLkW7' ann
user { 'ann': password => Sensitive('$6$new$f3kQw9') }
