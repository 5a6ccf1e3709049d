user { 'deploy': shell => '/bin/sh' }
