# With libuser's tools: made, changed, removed.
#
# exits: 2 0
# setup:
#   groupadd -g 1700 old; groupadd -g 1701 gone
group { 'new': forcelocal => true, gid => 1702 }
group { 'old': forcelocal => true, gid => 1703 }
group { 'gone': ensure => absent, forcelocal => true }
