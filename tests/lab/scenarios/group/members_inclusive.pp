# Members that are not named go with `auth_membership`.
#
# exits: 2 0
# setup:
#   groupadd -g 3200 crew; useradd -G crew a1; useradd -G crew a2; useradd a3
group { 'crew': members => ['a1', 'a3'], auth_membership => true }
