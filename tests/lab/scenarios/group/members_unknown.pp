# One of the members is no user.
#
# exits: 4 4
# setup:
#   useradd ann; groupadd -g 1700 ours; gpasswd -a ann ours
group { 'ours': members => ['ann', 'nobody-knows'] }
