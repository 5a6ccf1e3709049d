# Neither mounted nor in fstab.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/m; mount -t tmpfs tmpfs /srv/m; printf '# one\ntmpfs /srv/m tmpfs defaults 0 0\n# two\n' > /etc/fstab
mount { '/srv/m': ensure => absent }
