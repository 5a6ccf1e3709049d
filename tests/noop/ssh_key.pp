# A key needs its user, and a directory that is at most one level deep.
#root
#dir home
#fails Ssh_authorized_key[no user]
#fails Ssh_authorized_key[no directory]
ssh_authorized_key { 'no user': user => 'h0rse', type => 'ssh-rsa', key => 'AAAA', target => '@/home/keys' }
ssh_authorized_key { 'no user, absent': ensure => absent, user => 'h0rse', target => '@/home/keys' }
ssh_authorized_key { 'no directory': user => 'root', type => 'ssh-rsa', key => 'AAAA', target => '@/none/.ssh/keys' }
ssh_authorized_key { 'new directory': user => 'root', type => 'ssh-rsa', key => 'AAAA', target => '@/home/.ssh/keys' }
