# A line that cannot be read again is known before it is written.
#file aliases
#fails Mailalias[no-recipient-of-rtype]
mailalias { 'fine': recipient => ['root', 'a b'], target => '@/aliases' }
mailalias { ':': recipient => 'root', target => '@/aliases' }
mailalias { '#comment': recipient => 'root', target => '@/aliases' }
mailalias { 'no-recipient-of-rtype': ensure => present, target => '@/aliases' }
mailalias { 'a:b': ensure => absent, target => '@/aliases' }
