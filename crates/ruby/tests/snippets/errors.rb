begin; raise "x"; rescue => e; p e.class, e.message; end
# --
begin; raise ArgumentError; rescue => e; p e.class, e.message; end
# --
begin; raise ArgumentError, "bad"; rescue TypeError, ArgumentError => e; p e.message; end
# --
begin; raise TypeError.new("t"); rescue ArgumentError; p 1; rescue TypeError; p 2; end
# --
x = begin; 1; rescue; 2; else; 3; ensure; p :ensure; end; p x
# --
def f; return 1; ensure; puts "e"; end; p f
# --
def f; yield; ensure; puts "done"; end; p [1, 2].each { |x| f { break x } }
# --
n = 0; begin; n += 1; raise "x" if n < 3; p n; rescue; retry; end
# --
p (raise "x" rescue 5)
# --
x = Integer("z") rescue "bad"; p x
# --
class E1 < StandardError; end; class E2 < E1; def message; "m2"; end; end; begin; raise E2; rescue E1 => e; p e.message, e.is_a?(E1), e.inspect; end
# --
class E3 < StandardError; def initialize(a); @a = a; super("got #{a}"); end; attr_reader :a; end; begin; raise E3.new(4); rescue E3 => e; p e.a, e.message; end
# --
begin; begin; raise "a"; ensure; p :inner; end; rescue => e; p e.message; end
# --
begin; begin; raise "a"; rescue => e; raise TypeError, "b"; end; rescue => e; p e.message, e.cause.message; end
# --
begin; raise "a"; rescue => e; p $!.message; end; p $!
# --
def f; begin; return 1; ensure; p 2; end; 3; end; p f
# --
def f; 1; rescue; 2; else; 3; end; p f
# --
begin; nil.foo; rescue NoMethodError => e; puts e.message; end
# --
begin; foo; rescue NameError => e; puts e.message.lines.first; end
# --
begin; foo(); rescue NoMethodError => e; puts e.message; end
# --
begin; Object.new.instance_variable_get("x"); rescue NameError => e; puts e.message; end
# --
begin; 1 + nil; rescue => e; puts e.message, e.class; end
# --
begin; 1 + "a"; rescue => e; puts e.message, e.class; end
# --
begin; "a" + 1; rescue => e; puts e.message, e.class; end
# --
begin; [1] + 1; rescue => e; puts e.message, e.class; end
# --
begin; Integer("abc"); rescue => e; puts e.message, e.class; end
# --
begin; Integer(nil); rescue => e; puts e.message, e.class; end
# --
begin; Float("x"); rescue => e; puts e.message, e.class; end
# --
begin; 1 / 0; rescue => e; puts e.message, e.class; end
# --
begin; {a: 1}.fetch(:b); rescue => e; puts e.message, e.class; end
# --
begin; [1].fetch(5); rescue => e; puts e.message, e.class; end
# --
begin; "a".freeze << "b"; rescue => e; puts e.message, e.class; end
# --
begin; [1].freeze << 2; rescue => e; puts e.message, e.class; end
# --
begin; {a: 1}.freeze[:b] = 1; rescue => e; puts e.message, e.class; end
# --
begin; def f(a, b = 1); end; f; rescue => e; puts e.message, e.class; end
# --
begin; def f(a); end; f(1, 2, 3); rescue => e; puts e.message; end
# --
begin; def f(*a, k:); end; f(1); rescue => e; puts e.message; end
# --
begin; def f(k: 1); end; f(z: 1, y: 2); rescue => e; puts e.message; end
# --
begin; ->(a) {}.call; rescue => e; puts e.message; end
# --
begin; raise Class.new(StandardError), "anon"; rescue => e; puts e.message; end
# --
begin; raise 5; rescue TypeError => e; puts e.message; end
# --
begin; Foo::Bar; rescue NameError => e; puts e.message; end
# --
begin; String::Bar; rescue NameError => e; puts e.message; end
# --
begin; [3, "a"].sort; rescue => e; puts e.message; end
# --
begin; [1, nil].max; rescue => e; puts e.message; end
# --
begin; raise StopIteration; rescue IndexError => e; p e.class; end
# --
begin; throw :x; rescue => e; puts e.message, e.class; end
# --
p catch(:done) { 10.times { |i| throw :done, i if i == 3 }; :never }
# --
p catch { |t| throw t, 7 }
# --
begin; exit 3; rescue SystemExit => e; p e.status; end
# --
begin; abort; rescue SystemExit => e; p e.success?; end
# --
begin; fail "f"; rescue RuntimeError => e; p e; end
# --
e = RuntimeError.new("x"); p e.message, e.full_message.class, e.backtrace, e == RuntimeError.new("x")
# --
begin; raise IOError, "io", []; rescue => e; p e.backtrace; end
# --
begin; Float::NAN.to_i; rescue => e; puts e.class; end
# --
begin; :a.unknown; rescue NoMethodError => e; puts e.message, e.name.inspect; end
# --
class A; private def z; end; protected def y; end; end; begin; A.new.z; rescue NoMethodError => e; puts e.message[0, 30]; end
# --
begin; BasicObject.new.foo; rescue NoMethodError => e; puts e.message[0, 22]; end
# --
begin; raise Exception, "top"; rescue StandardError; p 1; rescue Exception; p 2; end
# --
def f; yield; end; begin; f; rescue LocalJumpError => e; puts e.message; end
# --
begin; Comparable.new; rescue NoMethodError => e; puts e.message; end
# --
class Foo; end; begin; class Foo < String; end; rescue TypeError => e; puts e.message; end
# --
begin; class String2 < 5; end; rescue TypeError => e; puts e.message; end
# --
begin; module Kernel2; end; class Kernel2; end; rescue TypeError => e; puts e.message.lines.first; end
# --
x = [1, 2, 3].each do |v| begin; next if v == 1; raise "two" if v == 2; rescue => e; puts e.message; ensure; puts "e#{v}"; end end; p x
# --
def a; yield; end; def b; a { return 5 }; 6; end; p b
# --
def m; [1, 2].each { |x| return x }; nil; end; p m
# --
pr = proc { next 4; 5 }; p pr.call; l = lambda { return 6; 7 }; p l.call
