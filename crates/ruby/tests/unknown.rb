x = 1; x = 2 if unknown; x
#=> unknown
# --
x = 1; y = 5; x = 2 if unknown; y
#=> 5
# --
x = 1; if unknown then x = 2 else x = 2 end; x
#=> 2
# --
unknown ? 3 : 3
#=> 3
# --
unknown ? 3 : 4
#=> unknown
# --
a = []; a << 1 if unknown; a
#=> unknown inside
# --
a = [1]; if unknown then a[0] = 2 else a[0] = 2 end; a
#=> [2]
# --
h = {a: 1}; h[:b] = 2 if unknown; h[:a]
#=> unknown
# --
h = {a: 1, b: 2}; h[:b] = 3 if unknown; h[:a]
#=> 1
# --
s = +'a'; s << 'b' if unknown; s.length
#=> unknown
# --
s = +'a'; t = s.dup; s << 'b' if unknown; t
#=> "a"
# --
def f; return 1 if unknown; 2; end; f
#=> unknown
# --
def f; return 1 if unknown; 1; end; f
#=> 1
# --
def f(a); return a if unknown; a << 1; a; end; f([])
#=> unknown inside
# --
x = 0; [1, 2].each { |n| x = n; break if unknown }; x
#=> unknown
# --
x = 0; y = 1; while unknown; x += 1; end; [x.nil?, y]
#=> unknown inside
# --
y = 1; while unknown; z = 2; end; y
#=> 1
# --
begin; raise 'a' if unknown; 1; rescue; 2; end
#=> unknown
# --
begin; raise 'a' if unknown; 1; rescue; 1; end
#=> 1
# --
x = 1; begin; raise 'a' if unknown; x = 2; rescue; x = 2; end; x
#=> 2
# --
x = 1; begin; raise 'a' if unknown; ensure; x = 3; end; x
#=> 3
# --
case unknown when 1 then 5 when 2 then 5 else 5 end
#=> 5
# --
case unknown when 1 then 5 else 6 end
#=> unknown
# --
@a = 1; @a = 2 if unknown; @b = 3; [@b]
#=> [3]
# --
class A; def f; 1; end; end; if unknown; class A; def f; 2; end; end; end; A.new.f
#=> unknown
# --
class A; def g; 1; end; end; if unknown; class A; def f; 2; end; end; end; A.new.g
#=> 1
# --
unknown.foo { |x| y = x }; 1
#=> 1
# --
y = 1; unknown.foo { |x| y = x }; y
#=> unknown
# --
a = [1]; unknown.foo(a); a
#=> unknown inside
# --
a = [1].freeze; unknown.foo(a); a
#=> [1]
# --
unknown || 1
#=> unknown
# --
x = unknown && 1; y = 2; y
#=> 2
# --
a, b = unknown; b
#=> unknown
# --
[1, unknown, 3].length
#=> 3
# --
[1, unknown, 3][2]
#=> 3
# --
"a#{unknown}"
#=> unknown
# --
catch(:a) { throw :a, 1 if unknown; 1 }
#=> 1
# --
def f; yield; 2; end; def g; f { return 1 if unknown }; 2; end; g
#=> unknown
# --
'abc'.crypt('ab')
#=> unknown
# --
require 'missing'; Missing::Thing
#=> unknown
# --
require 'helper'; Helper.two
#=> 2
# --
s = +"a"; s << unknown; s
#=> unknown inside
# --
a = [1]; a.concat(unknown); a
#=> unknown inside
# --
a = [1]; a.push(*unknown); a
#=> unknown inside
# --
h = {a: 1}; h.merge!(unknown); h
#=> unknown inside
# --
h = {a: 1}; h[unknown] = 2; h
#=> unknown inside
# --
h = {a: 1}; h.delete(unknown); h
#=> unknown inside
# --
a = [1, 2]; a.delete(unknown); a
#=> unknown inside
# --
a = [1, 2]; a.select! { unknown }; a
#=> unknown inside
# --
a = [3, unknown, 1]; a.sort!; a[0]
#=> unknown
# --
s = +"abc"; s.sub!("a", unknown); s
#=> unknown inside
# --
s = +"abc"; s[/a(b)/, 1] = "x"; s
#=> unknown inside
# --
def f(*a); @x = 2; end; @x = 1; f(*unknown); @x
#=> unknown
# --
class A; define_method(unknown) { 1 }; end; A.new.foo
#=> unknown
# --
class A; attr_reader unknown; end; A.new.foo
#=> unknown
# --
@x = 1; instance_variable_set(unknown, 2); @x
#=> unknown
# --
x = 1; eval("x = 2"); x
#=> Unsupported { message: "`eval` of a text is not supported", origin: SourceRange { file: FileId(1), start: 7, end: 20 } }
# --
@a = 1; instance_eval("@a = 2"); @a
#=> unknown
# --
b = [1]; a = [b]; unknown.foo(a); b
#=> unknown inside
# --
class O; attr_accessor :x; end; o = O.new; o.x = 1; unknown.foo(o); o.x
#=> unknown
# --
a = [1]; unknown.foo(k: a); a
#=> unknown inside
# --
class A < unknown; def initialize; @x = 1; setup; end; attr_reader :x; end; A.new.x
#=> unknown
# --
require 'missing'; class A < Missing::B; def go; @x = 1; setup; @x; end; end; A.new.go
#=> unknown
# --
class O; def go; while unknown; @c = 1 if @b; @b = true if @a; @a = true; end; @c.inspect; end; end; O.new.go
#=> unknown
# --
class O; @@c = nil; @@b = nil; @@a = nil; def go; while unknown; @@c = 1 if @@b; @@b = true if @@a; @@a = true; end; @@c.inspect; end; end; O.new.go
#=> unknown
# --
begin; require 'missing'; x = true; rescue LoadError; x = false; end; x
#=> unknown
# --
at_exit { puts 1 }; 3
#=> 3
# --
o = Object.new; if unknown then 2 else def o.foo; 1; end end; o.respond_to?(:foo)
#=> unknown
# --
o = Object.new; def o.foo; 1; end if unknown; o.foo
#=> unknown
# --
class A; end; if unknown then 1 else def A.foo; 1; end end; A.foo
#=> unknown
# --
@a = 1 if unknown; defined?(@a)
#=> unknown
# --
@a = 1 if unknown; instance_variables
#=> unknown
# --
class Foo; X = 1 if unknown; end; Foo.const_defined?(:X)
#=> unknown
# --
class Foo; def x; end if unknown; end; [Foo.method_defined?(:x), Foo.new.respond_to?(:x), Foo.instance_methods(false)]
#=> unknown inside
# --
s = "a"; s.instance_variable_set(:@x, 1); s.instance_variable_get(:@x)
#=> Unsupported { message: "instance variables of Ruby's own objects are not supported", origin: SourceRange { file: FileId(1), start: 9, end: 40 } }
# --
s = "a"; def s.foo; 1; end; s.foo
#=> Unsupported { message: "singleton classes of Ruby's own objects are not supported", origin: SourceRange { file: FileId(1), start: 9, end: 26 } }
# --
[ENV['X']]
#=> unknown inside
# --
STDERR.puts "x"
#=> unknown
# --
RUBY_PLATFORM
#=> unknown
# --
[$/, $$, $?, $LOADED_FEATURES, $VERBOSE, $;]
#=> unknown inside
# --
Math::PI
#=> unknown
# --
[Regexp::IGNORECASE, File::SEPARATOR, Encoding::UTF_8]
#=> unknown inside
# --
Errno::ENOENT
#=> Errno::ENOENT
# --
class A; X = 1; private_constant :X; end; A::X
#=> Raised { class: "NameError", message: "private constant A::X referenced" }
# --
class A; end; A.freeze; A.frozen?
#=> unknown
# --
method(:puts).inspect
#=> unknown
# --
(1..4).lazy.drop(2).class
#=> unknown
# --
(1..4).lazy.inspect
#=> unknown
# --
x = [1]; y = unknown || x; y << 2; x
#=> unknown inside
# --
x = [1]; y = unknown ? x : [5]; y << 2; x
#=> unknown inside
# --
x = [1]; y = unknown ? x : [5]; y.push(2).length; x
#=> unknown inside
# --
class O; attr_accessor :x; end; o = O.new; o.x = 1; y = unknown ? o : nil; y.x = 5; o.x
#=> unknown
# --
i = 0; x = 0; while i < 3; i += 1; break if unknown; x = i; end; x
#=> unknown
# --
x = 0; for n in [1, 2]; break if unknown; x = n; end; x
#=> unknown
# --
x = 1; case unknown; in 5 then x = 2; end; x
#=> 2
# --
unknown => {a:}; a
#=> unknown
# --
if unknown in [y] then 1 end; y
#=> unknown
# --
x = 1; case unknown; when 1 then x = 2; end; x
#=> unknown
# --
y = 1; for x in unknown; y = 2; break; end; y
#=> unknown
# --
x = 1; unknown.foo(-> { x = 2 }); x
#=> unknown
# --
x = 1; b = proc { x = 2 }; unknown.foo(&b); x
#=> unknown
# --
x = 1; unknown { x = 2 }; x
#=> unknown
# --
x = 1; [3].each(&unknown); x
#=> 1
# --
a = []; [1, 2].each { |n| a << n if unknown }; a
#=> unknown inside
# --
x = 0; begin; unknown.foo; x = 1; rescue; x = 2; end; x
#=> unknown
# --
a = [1,2,3]; a[unknown] = 5; a
#=> unknown inside
# --
a = [1,2,3]; a.insert(unknown, 5); a
#=> unknown inside
# --
a = [1,2]; a.fill(0..1); a
#=> [0..1, 0..1]
# --
h = Hash.new(unknown); h[:x]
#=> unknown
# --
class A; def initialize(o); @o = o; end; end; A.new(unknown).inspect
#=> unknown
# --
x = [1, 2].include?(unknown); x
#=> unknown
# --
Object.new.inspect
#=> unknown
# --
Object.new.hash
#=> unknown
# --
"a".hash
#=> unknown
# --
x = nil; x ||= 5 if unknown; x
#=> unknown
# --
a = [1]; b = [a]; b.each { |z| z << 2 if unknown }; a.size
#=> unknown
# --
def t; [1, 2].each { |n| return n if unknown }; 9; end; t
#=> unknown
# --
x = 1; loop { x += 1; break if unknown }; x
#=> unknown
# --
x = 1; 3.times { |i| next if unknown; x = i }; x
#=> unknown
# --
x = 1; until unknown; x = 2; end; x
#=> unknown
# --
$g = 1; $g = 2 if unknown; $g
#=> unknown
# --
x = "a"; y = (unknown ? x : "b"); y << "z"; x
#=> unknown inside
# --
a = [1]; unknown.x = a; a << 1; unknown.foo; a
#=> unknown inside
# --
a = [1]; a.freeze if unknown; begin; a << 2; rescue FrozenError; end; a
#=> unknown inside
# --
a = "x"; a.freeze if unknown; a.frozen?
#=> unknown
# --
x = 1; x = 2 if unknown && (raise "a" if unknown; true) rescue x = 3; x
#=> unknown
# --
class C; def foo; @x = 1; end; end; c = C.new; if unknown; class C; def foo; @x = 2; end; end; end; c.instance_variable_set(:@x, 0); c.foo; c.instance_variable_get(:@x)
#=> unknown
# --
module M; def foo; 2; end; end; class C; end; C.include(M) if unknown; C.new.foo
#=> unknown
# --
module M; def foo; 2; end; end; class C; def foo; 1; end; end; C.prepend(M) if unknown; C.new.foo
#=> unknown
# --
class P; def foo; 1; end; end; module M; def foo; 2; end; end; class C < P; end; C.include(M) if unknown; C.new.foo
#=> unknown
# --
class P; def foo; 1; end; end; module M; def foo; 2; end; end; class C < P; end; C.include(unknown); C.new.foo
#=> unknown
# --
class C; def self.method_added(n); end; end; C.send(unknown, :x); C.instance_methods(false)
#=> unknown
# --
x = 1; 1.0.step(2.0, 0.5) { x = 2 }; x
#=> unknown
# --
a = [1, 2]; a.fill(3, 0..1); a
#=> unknown inside
# --
def f(a, b: 1); @x = 2; end; @x = 1; unknown.each(&method(:f)); @x
#=> unknown
# --
x = 1; unknown.foo([->(a, b, c = 1, d:) { x = 2 }]); x
#=> unknown
# --
class A; X = 1; private_constant :X; end; class B < A; X = 2; end; B::X
#=> 2
# --
class A; X = 1; private_constant :X; end; class C < A; end; C::X
#=> Raised { class: "NameError", message: "private constant A::X referenced" }
# --
class E; private_constant :Nope; end
#=> Raised { class: "NameError", message: "constant E::Nope not defined" }
