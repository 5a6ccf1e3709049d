# A variable is assigned once, before it is read.
class a ($x, $y = $z, $w = $x) {
  $b = $c
  $c = 1
  $c = 2
  if $x { $d = 1 } else { $d = 2 }
  $d = 3
  if $x { $e = 1 }
  $e = 2
  case $x {
    1: { $f = 1 }
    default: { fail('no') }
  }
  $f = 2
  [1].each |$i| {
    $x = $i
    $unused = $b
    notice($x, $a::b, $a::g)
  }
  [$h, $i] = [1, 2]
  $h = $i
  notice("${j} ${k[0]} ${x.upcase} $l ${0}", $::role, $::osfamili)
}
class b inherits a {
  notice($c, $m)
}
class c inherits elsewhere {
  notice($n)
}
define d($x) {
  $used = template('d/d.erb')
  $read_by_the_template = 1
  notice($title, $used)
}
define e($x) {
  $never = 1
  $_ignored = 2
}
function f($x) {
  $x + $y
}
$top = 1
node 'n' {
  $role_of_node = 2
  include g
}
class g {
  notice($top, $role_of_node, $facts, $trusted['certname'], $settings::ssldir, $server_facts)
}
