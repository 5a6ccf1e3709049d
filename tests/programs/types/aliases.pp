# Aliases that lead to others, to themselves, and to nothing.
type Deep::A1 = Variant[Deep::A2, Array[Deep::A2], Optional[Deep::A2]]
type Deep::A2 = Variant[Deep::A3, Array[Deep::A3], Optional[Deep::A3]]
type Deep::A3 = Variant[Deep::A4, Array[Deep::A4], Optional[Deep::A4]]
type Deep::A4 = Variant[Deep::A5, Array[Deep::A5], Optional[Deep::A5]]
type Deep::A5 = Variant[Deep::A6, Array[Deep::A6], Optional[Deep::A6]]
type Deep::A6 = Variant[Deep::A7, Array[Deep::A7], Optional[Deep::A7]]
type Deep::A7 = Variant[Deep::A8, Array[Deep::A8], Optional[Deep::A8]]
type Deep::A8 = Variant[Deep::A9, Array[Deep::A9], Optional[Deep::A9]]
type Deep::A9 = Variant[Deep::A10, Array[Deep::A10], Optional[Deep::A10]]
type Deep::A10 = Variant[Deep::A11, Array[Deep::A11], Optional[Deep::A11]]
type Deep::A11 = Variant[Deep::A12, Array[Deep::A12], Optional[Deep::A12]]
type Deep::A12 = Variant[Deep::A13, Array[Deep::A13], Optional[Deep::A13]]
type Deep::A13 = Variant[Deep::A14, Array[Deep::A14], Optional[Deep::A14]]
type Deep::A14 = Variant[Deep::A15, Array[Deep::A15], Optional[Deep::A15]]
type Deep::A15 = Variant[Deep::A16, Array[Deep::A16], Optional[Deep::A16]]
type Deep::A16 = Variant[Deep::A17, Array[Deep::A17], Optional[Deep::A17]]
type Deep::A17 = Variant[Deep::A18, Array[Deep::A18], Optional[Deep::A18]]
type Deep::A18 = Variant[Deep::A19, Array[Deep::A19], Optional[Deep::A19]]
type Deep::A19 = Variant[Deep::A20, Array[Deep::A20], Optional[Deep::A20]]
type Deep::A20 = Variant[Deep::A21, Array[Deep::A21], Optional[Deep::A21]]
type Deep::A21 = Variant[Deep::A22, Array[Deep::A22], Optional[Deep::A22]]
type Deep::A22 = Variant[Deep::A23, Array[Deep::A23], Optional[Deep::A23]]
type Deep::A23 = Variant[Deep::A24, Array[Deep::A24], Optional[Deep::A24]]
type Deep::A24 = Variant[Deep::A25, Array[Deep::A25], Optional[Deep::A25]]
type Deep::A25 = Variant[Deep::A26, Array[Deep::A26], Optional[Deep::A26]]
type Deep::A26 = Variant[Deep::A27, Array[Deep::A27], Optional[Deep::A27]]
type Deep::A27 = Variant[Deep::A28, Array[Deep::A28], Optional[Deep::A28]]
type Deep::A28 = Variant[Deep::A29, Array[Deep::A29], Optional[Deep::A29]]
type Deep::A29 = Variant[Deep::A30, Array[Deep::A30], Optional[Deep::A30]]
type Deep::A30 = Integer
type Loop::A = Loop::B
type Loop::B = Variant[Loop::A]
type Ring::A = Variant[Integer, Hash[String, Ring::B]]
type Ring::B = Variant[Boolean, Array[Ring::A], Absent::C]
type Tree::A = Struct[{ name => String, Optional[parts] => Array[Tree::A] }]
define deep::a(Deep::A1 $a, Loop::A $b = 1, Ring::A $c = 1, Tree::A $d = { name => 'x' }) { }
deep::a { 'a':
  a => [[1]],
  b => 2,
  c => { 'x' => ['y'] },
  d => { name => 'a', parts => [{ name => 'b', parts => [{ nam => 'c' }] }] },
}
deep::a { 'b':
  a => [[[["${facts}"]]]],
  d => { name => $facts, parts => [{ name => $facts, parts => [$facts, { nam => $facts }] }] },
}
