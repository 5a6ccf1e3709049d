# What would be chosen.
#
# exits: 0 0
# flags: --noop
# setup:
#   for i in one two; do printf '#!/bin/sh\necho %s\n' $i > /srv/$i; chmod 755 /srv/$i; done
#   update-alternatives --quiet --install /usr/bin/lab lab /srv/one 10; update-alternatives --quiet --install /usr/bin/lab lab /srv/two 20
alternatives { 'lab': path => '/srv/one' }
