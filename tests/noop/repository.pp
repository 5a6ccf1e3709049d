# A repository needs those whom it belongs to.
#fails Vcsrepo[@/owned]
vcsrepo { '@/owned': ensure => present, provider => git, owner => 'h0rse' }
