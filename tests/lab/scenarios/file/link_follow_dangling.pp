# A link that leads nowhere is replaced, also with `links => follow`.
#
# exits: 2 0
# setup:
#   ln -s none /srv/a
file { '/srv/a': links => follow, content => 'new', mode => '0644' }
