# Content changes; mode and owner stay as they are.
#
# exits: 2 0
# setup:
#   printf 'one\ntwo\n' > /srv/list
#   chown games:mail /srv/list; chmod 604 /srv/list
file { '/srv/list': content => "one\ntwo\nthree\n" }
