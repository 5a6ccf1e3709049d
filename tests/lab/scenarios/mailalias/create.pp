# Aliases are added; what is there stays.
#
# exits: 2 0
# setup:
#   printf '# mail\npostmaster: root\n\nnews:   "|/bin/news -x"\n' > /etc/aliases
mailalias { 'webmaster': recipient => 'root' }
mailalias { 'sales': recipient => ['ann@example.com', 'bob', '|/bin/count'] }
mailalias { 'many': file => '/srv/many' }
