# A setting that is changed between the runs is changed back.
#
# exits: 2 2
# ruby: yes
# setup:
#   mkdir -p /etc/nova
# between:
#   sed -i s/True/False/ /etc/nova/nova.conf
nova_config { 'DEFAULT/debug': value => 'true' }
nova_config { 'DEFAULT/host': value => 'one' }
