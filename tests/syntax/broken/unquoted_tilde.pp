user { 'bob': home => ~bob, shell => /bin/bash }
