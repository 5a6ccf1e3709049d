# A package of a file needs the file, an alternative its program.
#fails Package[n0ne]
#fails Alternative_entry[@/none]
package { 'n0ne': ensure => present, provider => dpkg, source => '@/none.deb' }
alternative_entry { '@/none': altlink => '@/link', altname => 'n0ne', priority => 1 }
