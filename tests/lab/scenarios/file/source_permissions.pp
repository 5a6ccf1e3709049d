# Owner and mode come from the source where that is asked for.
#
# exits: 2 0
# setup:
#   echo x > /srv/from; chown games:mail /srv/from; chmod 750 /srv/from
file { '/srv/to': source => 'file:///srv/from', source_permissions => use }
