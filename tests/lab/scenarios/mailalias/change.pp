# Who gets the mail changes.
#
# exits: 2 0
# setup:
#   printf '# mail\npostmaster: root\nsales: ann, bob\n' > /etc/aliases
mailalias { 'sales': recipient => ['bob', 'cid'] }
