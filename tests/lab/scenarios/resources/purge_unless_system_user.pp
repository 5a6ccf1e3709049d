# Users that are not declared go, but not those of the system, nor those that are excepted.
#
# exits: 2 0
# setup:
#   useradd -u 5000 gone; useradd -u 5001 spared; useradd -u 5002 declared; useradd -u 1400 low; useradd -r sysd
resources { 'user': purge => true, unless_uid => ['5001'], unless_system_user => 1500 }
user { 'declared': ensure => present }
