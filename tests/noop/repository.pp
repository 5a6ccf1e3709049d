# A repository needs those whom it belongs to.
#fails Vcsrepo[@/owned]
vcsrepo { '@/owned': ensure => present, provider => git, owner => 'h0rse' }
#fails Vcsrepo[@/none/new]
vcsrepo { '@/none/new': ensure => present, provider => git }
vcsrepo { '@/fine': ensure => present, provider => git }
