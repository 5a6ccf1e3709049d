# An alias goes.
#
# exits: 2 0
# setup:
#   printf '# mail\npostmaster: root\nsales: ann, bob\n' > /etc/aliases
mailalias { 'sales': ensure => absent }
mailalias { 'never': ensure => absent }
