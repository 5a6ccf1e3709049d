# What is managed by itself stays.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/t; echo x > /srv/t/one; echo x > /srv/t/two
tidy { '/srv/t': recurse => true, matches => '*' }
file { '/srv/t/one': ensure => file }
