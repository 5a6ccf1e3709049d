lamp { 'hall':
  color => green,
}

lamp { 'attic':
  ensure  => off,
  require => Lamp['hall'],
}
