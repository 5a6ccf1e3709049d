# What somebody changes between the runs is put right by the second one.
#
# exits: 2 2
# between:
#   echo other > /srv/a; chmod 777 /srv/a
file { '/srv/a': content => 'mine', mode => '0644' }
