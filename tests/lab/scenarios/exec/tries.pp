# It is tried until it works.
#
# exits: 2 2
# setup:
#   printf '#!/bin/sh\necho try >> /srv/log\ntest $(wc -l < /srv/log) -ge 3\n' > /srv/try; chmod 755 /srv/try
exec { '/srv/try': tries => 5, try_sleep => 0 }
