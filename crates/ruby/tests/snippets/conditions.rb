p((if true then 1 else 2 end))
# --
x = 3; puts "small" unless x > 5
# --
x = 3; puts(x > 5 ? "big" : "small")
# --
unless nil then p 1 else p 2 end
# --
p 1 if nil; p 2 if 0
# --
i = 0; i += 1 while i < 5; p i
# --
i = 0; i += 1 until i == 4; p i
# --
i = 9; begin i += 1 end while i < 5; p i
# --
i = 9; begin i += 1 end until true; p i
# --
r = while true do break 7 end; p r
# --
r = while false do end; p r
# --
p (1..10).each { |n| break n * 2 if n == 3 }
# --
a = []; for i in 1..3 do a << i end; p a, i
# --
a = []; for k, v in {a: 1, b: 2} do a << [k, v] end; p a
# --
a = []; (1..6).each { |n| next if n.odd?; a << n }; p a
# --
p [1, 2, 3].map { |n| next 0 if n == 2; n }
# --
c = 0; [1].each { |n| c += 1; redo if c < 3 }; p c
# --
x = 5; case x when 1..3 then p :low when 4..6 then p :mid else p :high end
# --
x = "foo"; case x when "a", "b" then p 1 when /^f/ then p 2 end
# --
x = [1, 2]; case 2 when 5, *x then p :in else p :out end
# --
case when 1 > 2 then p 1 when 2 > 1 then p 2 end
# --
case 5 when Integer then p :int end
# --
p((case 9 when 1 then 2 end))
# --
x = nil; p x.nil? && 1, x || 2, !x, (not x)
# --
x = (false or nil); p x
# --
a = true && false || 3; p a
# --
p (true and 4)
# --
x = 0; x == 0 or raise "no"; p :ok
# --
l = ->(n) { n > 2 }; case 3 when l then p :lambda end
# --
i = 0; loop do i += 1; break if i > 3 end; p i
# --
i = 0; p((loop do i += 1; break i if i > 3 end))
# --
def f(n) return :neg if n < 0; :pos end; p f(-1), f(1)
# --
i = 0; while i < 10; i += 1; next if i < 8; puts i; end
# --
p [[1, [2, 3]]].each { |a, (b, c)| p a + b + c }
# --
p (begin 1; 2 end)
# --
a = if false then 1 end; p a
# --
p __method__.inspect; def m; __method__; end; p m
# --
p defined?(foo), defined?(p), defined?(String), defined?(@a), defined?(x = 1), defined?(yield), defined?(Nope::Bar)
# --
@a = 1; p defined?(@a); b = 2; p defined?(b), defined?(3 + 3), defined?(self), defined?(nil), defined?($stdout), defined?(@@a)
# --
puts [__LINE__, __FILE__.class].inspect
