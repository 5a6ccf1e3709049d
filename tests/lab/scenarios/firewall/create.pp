# Rules of the packet filter.
#
# exits: 2 0
# ruby: yes
firewall { '100 allow ssh': proto => 'tcp', dport => 22, action => 'accept' }
firewall { '200 drop telnet': proto => 'tcp', dport => 23, action => 'drop' }
