lamp { 'porch':
  co▮lor => gr▮een,
  require => [La▮mp['ha▮ll'], Lamp['por▮ch']],
}
