# Calls of functions and templates of the module.
class web::typed($version, Web::Level $level = 'loud') {
  $a = web::port('80', 1)
  $b = web::port(80)
  $c = web::prot(80)
  $d = web::native(1, 2, 3)
  $e = versioncmp($version, 9)
  $f = split('a b')
  $g = [1, 2].map
  $h = ['a'].join(1)
  file { '/etc/web.d/page':
    ensure  => file,
    content => epp('web/page.epp', { 'title' => 7, 'tilte' => 'x' }),
  }
  file { '/etc/web.d/news':
    ensure  => file,
    content => epp('web/page.epp', { 'title' => "${a} ${b} ${c} ${d} ${e}", 'items' => [$f, $g, $h], 'level' => $level }),
  }
}
