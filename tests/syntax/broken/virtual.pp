@user { 'bob': }
@@user { 'eve': }
