# Settings are created, changed and removed by a provider in Ruby; the file is read anew for each.
#
# exits: 2 0
# ruby: yes
# set: small
# setup:
#   mkdir -p /etc/nova
#   printf '[DEFAULT]\ndebug=false\n[old]\nkey=1\n' > /etc/nova/nova.conf
nova_config { 'DEFAULT/debug': value => 'true' }
nova_config { 'DEFAULT/transport_url': value => 'rabbit://nova:secret@mq', secret => true }
nova_config { 'api/workers': value => 4 }
nova_config { 'pci/alias': value => ['one', 'two'] }
nova_config { 'old/key': ensure => absent }
nova_config { 'old/other': ensure => absent }
nova_config { 'api/none': value => '<SERVICE DEFAULT>' }
