# Defaults of the file are for all users.
User { shell => '/bin/sh' }
user { 'bob': ensure => absent, managehome => true }
user { 'eve': ensure => present, uid => '1001' }
# Where to look for what is to be gone.
ssh_authorized_key { 'bob@home': ensure => absent, user => 'bob' }
ssh_authorized_key { 'eve@home': ensure => absent, target => '/etc/keys' }
cron { 'clean': ensure => absent, user => 'bob' }
cron { 'dirty': ensure => absent, target => 'bob' }
host { 'db': ensure => absent, target => '/etc/other' }
mount { '/srv': ensure => absent, target => '/etc/fstab2' }
