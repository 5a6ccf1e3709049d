# An archive on the machine is copied and unpacked.
#
# exits: 2 0
# setup:
#   mkdir -p /srv/make/shop /srv/opt; echo hello > /srv/make/shop/file; chmod 640 /srv/make/shop/file
#   tar -C /srv/make --mtime=2024-01-01 --owner=0 --group=0 -czf /srv/shop.tar.gz shop
archive { '/srv/copy.tar.gz':
  source       => 'file:///srv/shop.tar.gz',
  extract      => true,
  extract_path => '/srv/opt',
  creates      => '/srv/opt/shop/file',
  cleanup      => true,
}
