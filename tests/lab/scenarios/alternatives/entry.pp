# Entries are added and removed.
#
# exits: 2 0
# setup:
#   for i in one two; do printf '#!/bin/sh\necho %s\n' $i > /srv/$i; chmod 755 /srv/$i; done
#   update-alternatives --quiet --install /usr/bin/lab lab /srv/one 10
alternative_entry { '/srv/two': ensure => present, altlink => '/usr/bin/lab', altname => 'lab', priority => 30 }
alternative_entry { '/srv/one': ensure => absent, altlink => '/usr/bin/lab', altname => 'lab', priority => 10 }
