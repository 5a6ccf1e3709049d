# What depends on a predicted failure is skipped.
#fails File[@/none/file]
file { '@/none/file': ensure => file }
-> file { '@/after': ensure => directory }
-> file { '@/after/file': ensure => file }
