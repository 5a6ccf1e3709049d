user { 'deploy': shell => '/bin/bash' }
