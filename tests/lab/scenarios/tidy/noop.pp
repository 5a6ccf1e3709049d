# What would go.
#
# exits: 0 0
# flags: --noop
# setup:
#   mkdir -p /srv/t; echo x > /srv/t/one; echo x > /srv/t/two
tidy { '/srv/t': recurse => true, matches => 'o*' }
