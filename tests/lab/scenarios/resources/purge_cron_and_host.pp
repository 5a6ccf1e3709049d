# What is not declared goes: hosts; jobs of root.
#
# exits: 2 0
# setup:
#   printf '127.0.0.1\tlocalhost\n10.0.0.1\told\n# kept\n' > /etc/hosts; printf '# Puppet Name: old\n1 1 * * * /bin/old\n2 2 * * * /bin/hand\n' | crontab -u root -
resources { ['host', 'cron']: purge => true }
host { 'localhost': ip => '127.0.0.1' }
cron { 'kept': command => '/bin/kept', minute => 1 }
