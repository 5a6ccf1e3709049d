lantern { 'door': ensure => present, colour => 'blue' }
lantern { 'gate': ensure => present, oil => 'olive' }
