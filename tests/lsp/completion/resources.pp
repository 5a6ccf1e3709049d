la▮
lamp { 'x':
  ▮
}
lamp { 'y': level => 3, ▮ }
lamp { 'z': ensure => ▮ }
lamp { 'zz': ensure => 'pre▮' }
lamp { 'n': provider => ▮, }
lamp { 'r': require => ▮ }
lamp { 's': require => Lamp['▮'] }
user { 'bob': purge_ssh_keys => ▮ }
