a, b = 1, 2; p a, b
# --
a, b = b = 3, 4; p a, b
# --
a, *b = 1, 2, 3; p a, b
# --
*a, b = 1, 2, 3; p a, b
# --
a, (b, *c), d = 1, [2, 3, 4], 5; p a, b, c, d
# --
a, b = [1]; p a, b
# --
a = *1..3; p a
# --
a = *nil; p a
# --
a, = [9, 8]; p a
# --
*, a = 1, 2; p a
# --
a = 1, 2; p a
# --
h = {}; h[:x], h[:y] = 1, 2; p h
# --
a = b = 5; p a + b
# --
a, b = 1, 2; a, b = b, a; p [a, b]
# --
x = nil; x ||= 5; x ||= 6; p x
# --
x = 1; x &&= x + 1; p x
# --
x = nil; x &&= 1; p x
# --
x = 5; x += 2; x -= 1; x *= 3; x **= 2; p x
# --
x = 7; x %= 4; x <<= 2; x |= 1; x ^= 3; x &= 14; p x
# --
h = {a: 1}; h[:a] += 1; h[:b] ||= 7; h[:c] = h[:d] ||= 2; p h
# --
h = Hash.new(0); h[:x] += 1; h[:x] += 1; p h
# --
@x ||= []; @x << 1; @x ||= 3; p @x
# --
$g ||= 4; $g += 1; p $g
# --
class C; @@c ||= 1; @@c += 1; def self.c; @@c; end; end; p C.c
# --
Foo ||= 3; Foo ||= 4; p Foo
# --
class A; attr_accessor :v; end; a = A.new; a.v ||= 3; a.v += 4; a.v &&= a.v * 2; p a.v
# --
n = 0; f = -> { n += 1; [1, 2] }; f.call[0] ||= 9; p n
# --
n = 0; a = [0, 0]; i = -> { n += 1; 0 }; a[i.call] += 5; p n, a
# --
a = nil; p a&.length, a&.foo(1 / 0)
# --
a = "x"; p a&.length
# --
class A; attr_accessor :v; end; a = A.new; a&.v = 4; p a&.v; b = nil; b&.v = 3; b&.v ||= 2; p b
# --
def f; yield 1, 2, 3; end; f { |a, *b| p a, b }
# --
def f; yield [1, 2]; end; f { |a, b| p a, b }; f { |a| p a }; f { |a,| p a }; f { |*a| p a }
# --
[[1, [2, 3]], [4, [5, 6]]].each { |a, (b, c)| puts a + b * c }
# --
x = 10; [1, 2].each { |i; x| x = i }; p x
# --
x = 10; [1, 2].each { |i| x = i }; p x
# --
a = [1, 2, 3]; a[0], a[1] = a[1], a[0]; p a
# --
a = [3]; b, c = *a, 4; p b, c
# --
def sw((a, b), c) [a, b, c] end; p sw([1, 2], 3)
# --
p((a, b = 3, 4)); p a
# --
self.class; o = Object.new; def o.x=(v) @x = v * 2 end; def o.x() @x end; p(o.x = 5); p o.x
# --
o = Object.new; def o.[]=(k, v) @h = [k, v]; 99 end; p(o[1] = 2)
# --
if (m = "abc".match(/b(.)/)) then p m[1] end
# --
if /(?<first>\w)(?<rest>\w*)/ =~ "hello" then p first, rest end
# --
/(?<q>x)/ =~ "nope"; p q
# --
a = [1, 2, 3, 4]; first, *, last = a; p first, last
# --
(a, b), c = [1, 2], 3; p a, b, c
# --
a = [[1, 2], [3, 4]]; a.each { |(x, y)| p x + y }
# --
h = {a: {b: [1]}}; h[:a][:b] << 2; h[:a][:b] += [3]; p h
# --
a = "a"; b = a; b += "c"; p a, b
# --
a = "a"; b = a; b << "c"; p a, b
