backup { 'home':
  ensure      => present,
  source      => '/home',
  compression => zstd,
  keep        => 7,
}
