# Members are added, and others stay; libuser's tools are there.
#
# exits: 2 0
# setup:
#   useradd ann; useradd bob; useradd carl; groupadd -g 1700 staff2; gpasswd -a bob staff2; groupadd -g 1701 all; gpasswd -M ann,bob all
group { 'staff2': members => ['ann', 'carl'] }
group { 'all': members => ['ann', 'carl'], auth_membership => true }
group { 'fresh': gid => 1702, members => ['ann', 'bob'] }
