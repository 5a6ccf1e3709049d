# The working directory may be made before.
#fails Exec[/bin/true elsewhere]
file { '@/made': ensure => directory }
exec { '/bin/true elsewhere': command => '/bin/true', cwd => '@/none' }
-> exec { '/bin/true here': command => '/bin/true', cwd => '@/made', require => File['@/made'] }
