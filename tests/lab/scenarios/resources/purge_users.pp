# Users that nobody manages go, but not those of the system.
#
# exits: 2 0
# setup:
#   useradd -u 1500 ann; useradd -u 1501 bob
user { 'ann': ensure => present }
resources { 'user': purge => true, unless_system_user => true }
