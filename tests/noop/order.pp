# Only what comes before in the run helps.
#fails Host[early.example]
host { 'early.example': ip => '192.0.2.1', target => '@/later/hosts' }
-> file { '@/later': ensure => directory }
-> host { 'late.example': ip => '192.0.2.1', target => '@/later/hosts' }
