# A directory is removed or replaced only with `force`.
#dir absent/deep
#dir empty
#dir file/deep
#dir link/deep
#dir forced/deep
#dir kept/deep
#file plain
#fails File[@/absent]
#fails File[@/empty]
#fails File[@/file]
#fails File[@/link]
file { '@/absent': ensure => absent }
file { '@/empty': ensure => absent }
file { '@/file': ensure => file, content => 'x' }
file { '@/link': ensure => link, target => '/etc/hosts' }
file { '@/forced': ensure => absent, force => true }
file { '@/kept': ensure => directory, mode => '0700' }
file { '@/plain': ensure => directory }
exec { '/bin/true': require => File['@/absent'] }
