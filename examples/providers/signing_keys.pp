signing_key { '0x9fb3a1c2':
  ensure  => present,
  created => '2026-01-31',
  owner   => 'Ann',
  uses    => ['releases', 'commits'],
}
signing_key { '7bd0e45f':
  ensure  => present,
  created => '2025-12-01',
}
