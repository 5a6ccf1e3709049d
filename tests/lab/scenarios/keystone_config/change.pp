# Settings of another file of the same family.
#
# exits: 2 0
# ruby: yes
# setup:
#   mkdir -p /etc/keystone
#   printf '[DEFAULT]\ndebug=false\n' > /etc/keystone/keystone.conf
keystone_config { 'DEFAULT/debug': value => true }
keystone_config { 'token/provider': value => 'fernet' }
keystone_config { 'cache/memcache_servers': value => '127.0.0.1:11211' }
