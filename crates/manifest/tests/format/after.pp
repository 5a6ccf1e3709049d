# comment
class foo ($a, String $b = 'x') inherits foo::bar {
  file { '/a': ensure => file,
    content => @(END),
    text
      more
    | END
    mode    => '0644',
  }

  file {
    '/b':
      # why
      ensure => directory,
      owner  => root;
    '/c':
      ensure => absent,
  }
  if $a == 1 and
    $b {
    notice('x')   # trailing
  } else { notice "a ${b['c']}" }
  $x = $a ? {
    'a'     => 1,
    default => 2 }
  [1, 2].each |$i| {
    notify { "n${i}": }
  }
  $y = $z
    .map |$k, $v| { [$k, $v] }
    .flatten
  File <| title == 'a' |> { mode => '1' }
  -> Package['x'] ->
  Service['y']
  case $a {
    'x', 'y': { }
    default: {
      include foo::baz
    }
  }
  $h = { 'a' => 1,
    'bb' => { 'c' => -1, 'd' => !$x }, 'e' => [1, 2],
  }
  @@nagios { 'x': * => $h }
  /* block
   comment */
  $f = [
    'a', # first
    'b'
  ]
}
