# The mode of a link itself is nothing that can be set.
#
# exits: 0 0
# setup:
#   echo x > /srv/target; chmod 600 /srv/target; ln -s target /srv/a
file { '/srv/a': mode => '0644' }
