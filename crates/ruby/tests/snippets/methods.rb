def f(a, b = a + 1, *c, d, e: 5, **f, &g) [a, b, c, d, e, f, g&.call] end; p f(1, 2), f(1, 2, 3), f(1, 2, 3, 4, e: 6, z: 7) { 8 }
# --
class P; def f(*) [1] end; end; class Q < P; def f(*) super + [2] end; end; p Q.new.f(1, 2)
# --
def f(...) g(...) end; def g(*a, **k, &b) [a, k, b&.call] end; p f(1, x: 2) { 3 }
# --
def f(&) g(&) end; def g; yield 3; end; p(f { |x| x * 2 })
# --
def f(a, **) a end; p f(1, z: 2)
# --
def f(h) h end; p f(a: 1, "b" => 2), f({c: 3})
# --
def f(a, h = {}) [a, h] end; p f(1, x: 2)
# --
def sq(x) = x * x; p sq(4)
# --
def f = 3; p f
# --
def f(a:, b: a * 2) [a, b] end; p f(a: 2), f(b: 1, a: 3); h = {a: 9}; p f(**h)
# --
def f(*a) a end; p f(*[1, 2], 3, *nil, *{a: 1})
# --
def f(a, b) [a, b] end; args = [1, 2]; p f(*args), send(:f, 3, 4), method(:f).call(5, 6), __send__(:f, 7, 8)
# --
p [1, 2, 3].map(&:to_s), %w[a b].each_with_index.map { |x, i| x * i }, [[1, 2]].map { |a, b| a + b }
# --
def y2; yield 1, 2; end; y2 { |a, b| p a + b }; p(y2 { _1 + _2 }); p([5].map { _1 * 2 })
# --
def bl(&b) b end; b = bl { |x, y = 2| [x, y] }; p b.call(1), b.(3, 4), b[5], b.arity, b.lambda?, b.parameters
# --
l = ->(a, b = 2, *c, k: 1) { [a, b, c, k] }; p l.(1), l.arity, l.lambda?, l.curry.arity
# --
p proc { |a, b| [a, b] }.call([1, 2]), proc { |a| a }.call(1, 2), lambda { |a, b| [a, b] }.call(1, 2)
# --
add = ->(a, b) { a + b }; inc = add.curry[1]; p inc[5]; dbl = ->(x) { x * 2 }; p (inc >> dbl).call(3), (inc << dbl).call(3)
# --
def fact(n) n <= 1 ? 1 : n * fact(n - 1) end; p fact(10)
# --
def f; block_given? ? yield : :none end; p f, f { 1 }
# --
def f(x) x.map! { |v| v + 1 }; nil end; a = [1]; f(a); p a
# --
def f(a = [], b: {}) a << 1; b[:x] = 1; [a, b] end; p f, f
# --
class A; def initialize(v) @v = v end; attr_reader :v; def ==(o) o.is_a?(A) && v == o.v end; def to_s; "A(#{@v})" end; end; puts A.new(1), "#{A.new(2)}"; p A.new(1) == A.new(1), A.new(1) != A.new(2), [A.new(1)].include?(A.new(1))
# --
class A; def +(o) "plus #{o}" end; def -@; "neg" end; def [](i) "at #{i}" end; def call(x) "call #{x}" end; def =~(o) "match" end; def coerce(o) [o, 1] end; def !~(x) 1 end; end; a = A.new; p a + 1, -a, a[2], a.(3), a =~ 4
# --
class A; def method_missing(n, *a, &b) n.to_s.start_with?("x") ? [n, a, b&.call] : super end; def respond_to_missing?(n, p = false) n.to_s.start_with?("x") || super end; end; p A.new.xyz(1) { 2 }, A.new.respond_to?(:xa), A.new.respond_to?(:ya); begin; A.new.ya; rescue NoMethodError => e; puts e.message[0, 24]; end
# --
class A; def a; b; end; private; def b; 1 end; public; def c; self.b end; end; p A.new.a, A.new.c
# --
class A; protected def v; 3 end; public def cmp(o) o.v end; end; p A.new.cmp(A.new)
# --
class A; def self.s; "s" end; class << self; def t; "t" + s end; attr_accessor :u; end; end; A.u = 1; p A.s, A.t, A.u
# --
class P; def hi(a = 1) "P#{a}" end; end; class Q < P; def hi(a = 2) super + super() + super(5) end; end; p Q.new.hi, Q.new.hi(7)
# --
class P; def f(a, *r, k: 0, &b) [a, r, k, b && b.call] end; end; class Q < P; def f(a, *r, k: 1, &b) a = 9; super end; end; p Q.new.f(1, 2, k: 3) { 4 }
# --
class P; def each; yield 1; yield 2; end; include Enumerable; end; p P.new.map { |x| x * 2 }, P.new.to_a, P.new.include?(2), P.new.sort_by { |x| -x }, P.new.first, P.new.first(1), P.new.reduce(:+), P.new.each_with_index.to_a, P.new.min, P.new.inject { |a, b| a * b }
# --
class V; include Comparable; attr_reader :n; def initialize(n) @n = n end; def <=>(o) n <=> o.n end; def inspect; "V#{n}" end; end; a, b = V.new(1), V.new(2); p a < b, a == V.new(1), [b, a].sort, [a, b].max, a.clamp(b, b), a.between?(a, b)
# --
module M; def m; "M" + super end; end; class P; def m; "P" end; end; class Q < P; include M; end; p Q.new.m, Q.ancestors.take(3)
# --
module M; def m; "M" + super end; end; class P; prepend M; def m; "P" end; end; p P.new.m, P.ancestors.first(2)
# --
module M; def self.included(b) b.extend(C) end; module C; def cm; "cm#{self}" end; end; end; class P; include M; end; p P.cm
# --
module M; def self.extended(b) puts "ext #{b}" end; end; class P; extend M; end
# --
class P; def self.inherited(k) (@subs ||= []) << k.name; super end; class << self; attr_reader :subs end; end; class Q < P; end; class R < P; end; p P.subs
# --
o = Object.new; def o.hi; "hi" end; p o.hi, o.singleton_methods; class << o; def yo; "yo" end; end; p o.yo
# --
class A; alias_method :old, :to_s; def to_s; "new" end; alias other to_s; end; p A.new.other, A.new.old[0, 4]
# --
class A; define_method(:dm) { |x = 1, *r| [x, r, self.class] }; end; p A.new.dm, A.new.dm(1, 2)
# --
class A; %w[a b].each { |n| define_method("get_#{n}") { n } }; end; p A.new.get_a, A.new.get_b
# --
class A; attr_writer :w; def initialize; @w = 1; @z = nil end; end; a = A.new; a.w = 5; p a.instance_variables, a.instance_variable_get(:@w), a.instance_variable_set(:@q, 3), a.instance_variable_defined?(:@z)
# --
class A; X = 1; class B; def x; X end; Y = 2; end; end; p A::B.new.x, A::B::Y, A.constants.sort, A.const_get(:X), A.const_defined?(:Q), Object.const_get("A::B")
# --
class A; @@n = 0; def self.inc; @@n += 1 end; def n; @@n end; end; A.inc; A.inc; p A.new.n, A.class_variable_get(:@@n), A.class_variables
# --
class A; @iv = 1; class << self; attr_reader :iv; end; end; class B < A; end; p A.iv, B.iv
# --
A = Struct.new(:x, :y) do def sum; x + y end end; a = A.new(1, 2); p a, a.sum, a.to_a, a == A.new(1, 2), a.x, a[1], a[:x]; a.x = 5; p a.to_h, a.members
# --
A = Struct.new(:x, :y, keyword_init: true); p A.new(x: 1), A.members; x, y = *Struct.new(:a, :b).new(1, 2); p x, y
# --
p Class.new { def hi; 1 end }.new.hi, Class.new(String).new("x").upcase, Module.new.class
# --
class A; def to_str; "str" end; end; p "a" + A.new; class B; def to_ary; [1, 2] end; end; a, b = B.new; p a, b
# --
class A; def each; yield 1; end; end; p A.new.to_enum.to_a, A.new.enum_for(:each).map { |x| x + 1 }
# --
class A; def inspect; "#<A!>" end; end; p A.new, [A.new], {A.new => A.new}; puts [A.new.inspect]
# --
class A; def hash; 1 end; def eql?(o) true end; end; p({A.new => 1}[A.new], [A.new, A.new].uniq.size)
# --
p Object.new.respond_to?(:puts), 5.respond_to?(:+), 5.is_a?(Comparable), Integer === 5, 5.instance_of?(Numeric), Integer < Numeric, Integer <= Integer, String < Integer
# --
p 5.send(:+, 3), 5.public_send(:to_s), [1, 2].send(:[], 0), 5.method(:+).call(1), [3, 1].method(:sort).unbind.class, 5.methods.include?(:+)
# --
class A; def f; 1 end; undef f; def g; 2 end; remove_method :g; end; p A.method_defined?(:f), A.instance_methods(false)
# --
class A; def <=>(o) 0 end; end; class Meta; def self.method_added(n) puts "added #{n}" end; def foo; end; end
# --
class A; def self.const_missing(n) "missing #{n}" end; end; p A::Zed
# --
class A; private_constant rescue 1; end; class A; def self.build(**o) new.tap { |x| x.instance_variable_set(:@o, o) } end; attr_reader :o; end; p A.build(a: 1).o
# --
A = Class.new do def self.name2; name end end; p A.name2, A.to_s, Class.new.name
# --
class A; def f; yield self end; end; A.new.f { |s| p s.class }; p A.instance_method(:f).class, A.new.method(:f).arity, A.new.method(:f).owner
# --
o = Object.new; o.instance_eval { @x = 5 }; p o.instance_variable_get(:@x); String.class_eval { def shout; upcase + "!" end }; p "a".shout
# --
A = Class.new; A.class_eval("def z; 42 end"); p A.new.z; p A.class_exec(3) { |x| x }; p A.new.instance_exec(4) { |x| x + 1 }
# --
class Foo; def bar; self end; def baz; @b = 1; self end; end; p Foo.new.bar.baz.class
# --
class A; def x; @x ||= begin; puts "once"; 5 end end; end; a = A.new; a.x; p a.x
# --
class A; class Error < StandardError; end; def f; raise Error, "in A" end; end; begin; A.new.f; rescue A::Error => e; p e.class, e.message; end
# --
module Util; def self.a; 1 end; module_function; def b; 2 end; end; p Util.a, Util.b; module Deep; module Er; VAL = 3; end; end; p Deep::Er::VAL, ::Deep::Er.name
# --
module U; extend self; def q; 7 end; end; p U.q; module R; refine(String) { } rescue p $!.class; end
# --
class A; def freeze_me; @x = 1; freeze; @x = 2 end; end; begin; A.new.freeze_me; rescue => e; puts e.class; end
# --
a = "x".dup; b = a.clone; b << "y"; p a, b, a.frozen?, :a.frozen?, 1.frozen?, "lit".frozen?, nil.frozen?; c = "q".freeze; p c.dup.frozen?, c.clone.frozen?
# --
class A; attr_accessor :l; def initialize_copy(o) @l = o.l.dup end; end; a = A.new; a.l = [1]; b = a.dup; b.l << 2; p a.l, b.l
# --
x = 1; add = lambda { |y| x + y }; x = 10; p add.(1); counter = 0; inc = -> { counter += 1 }; 3.times { inc.() }; p counter
# --
def mk; n = 0; [-> { n += 1 }, -> { n }] end; i, g = mk; i.(); i.(); p g.()
# --
p (1..3).each_with_object([]) { |x, a| a << x * 2 }, [1, 2, 3].each_cons(2).to_a, [3, 1, 2].sort { |a, b| b <=> a }, [1, 2, 3, 4].partition(&:even?)
# --
class A; def method_missing(name, *args) = "#{name}!#{args.inspect}"; def respond_to_missing?(*) = true; end; p A.new.foo, A.new.bar(1), A.new.baz = 3
# --
class A; def self.method_missing(n, *a) "cls #{n}" end; end; p A.anything
# --
p ObjectSpace.class, Kernel.respond_to?(:puts, true), Kernel.format("%d", 3), Object.new.then { 3 }, 5.tap { |x| puts x }, 5.itself
# --
class Stack; def initialize; @a = [] end; def push(x) @a.push(x); self end; def each(&b) @a.each(&b); self end; include Enumerable; end; p Stack.new.push(1).push(2).map { |x| x + 1 }, Stack.new.push(3).entries, Stack.new.push(3).lazy.class
# --
at = 5; p binding.local_variable_get(:at) rescue p 5
