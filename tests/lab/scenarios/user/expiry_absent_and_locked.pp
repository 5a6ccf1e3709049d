# An expiry that goes, and a password that locks the account.
#
# exits: 2 0
# setup:
#   useradd -u 3101 -e 2031-05-06 -p abc -m -d /srv/bob bob
user { 'bob': expiry => absent, password => '!', groups => [], membership => inclusive, purge_ssh_keys => false }
