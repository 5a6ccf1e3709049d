# It is tried so many times and not more.
#
# exits: 4 4
# setup:
#   printf '#!/bin/sh\necho try >> /srv/log\nfalse\n' > /srv/try; chmod 755 /srv/try
exec { '/srv/try': tries => 2 }
