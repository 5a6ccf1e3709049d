p "a#{1 + 1}b#{"n#{3}"}", 'a#{1}', "tab\t\u00e9\x41\e[0m", ?a
# --
p %w[a b c], %i[a b], %q(it's), %Q(x#{1}), %w(a#{1} b), %W(a#{1} b)
# --
p :a, :"a b", :"a#{1}", :[], :a?, :b!, :c=, :+, :"9a", :A
# --
p 1_000, 0x1f, 0b101, 0o17, 017, 1e3, 1.5e-3, 12345678901234567890
# --
p 1..2, 1...2, (1..), (..3), ("a".."e").to_a
# --
p({a: 1, "b" => 2, 3 => nil, "c d": 4, nil => 1})
# --
p [1, *[2, 3], *nil, 4], [*1..3, *"a"]
# --
h = {a: 1}; p({**h, b: 2}, {b: 1, **h})
# --
x = 1; y = 2; p({x:, y:})
# --
p "a" "b" 'c', "a#{1}" "b"
# --
s = <<~T; p s
  one
    two #{1 + 1}
  three
T
# --
s = <<-'T' + "x"; p s
  raw #{1}
  T
# --
p <<A + <<B
a
A
b
B
# --
p /a#{1}b/i, /x/mx, %r{/a/b}, /a\/b/, /#{"x.y"}/, /\d+\n/
# --
p "\\ \" \# #a # \#{x}", '\\ \' \n', "#", "a#b"
# --
p "é".length, "日本".bytes.length, "\u{1F600}"
# --
p nil.to_a, true & false, true ^ true, nil.to_s, nil.inspect
# --
p -5.abs, -2 ** 2, 2 ** -1 rescue p $!.class
# --
p 7 / 2, -7 / 2, 7 % 3, -7 % 3, 7.fdiv(2), 7.0 / 2, 1e20, 1e15, 1e16, 100.0, 1.0e-5, 0.1 + 0.2
# --
p 10.divmod(3), (-10).divmod(3), 3.7.floor, 3.2.ceil, 3.5.round, 2.5.round, -3.7.truncate, 3.14159.round(2)
# --
p 255.to_s(2), 255.to_s(16), "ff".to_i(16), "12abc".to_i, "0x1A".hex, "z".ord, 97.chr
# --
p 1 <=> 2, "a" <=> "b", 1 <=> "a", [1, 2] <=> [1, 3], nil <=> nil
# --
p 1 == 1.0, 1.eql?(1.0), 1.equal?(1), "a" == "a", "a".equal?("a"), :a.equal?(:a)
# --
p [1, [2, [nil, true]]], {a: [1, {b: 2}]}, [], {}
# --
p "a\nb", "\0", "\a\b\v\f", "\u200b", "\x7f"
# --
p :a.to_proc.call("x") rescue p $!.message
# --
p 3.zero?, 0.zero?, 3.positive?, 3.pred, 3.succ, 3.clamp(1, 2), 3.between?(1, 5)
# --
p 1.0.to_s, 1.23456789012345e+25.to_s, 1e100, -0.0, 1.0 / 3
# --
p 12345678901234567890 + 1 == 12345678901234567891
# --
p "%05d|%-5s|%+.2f|%x|%o|%b|%e|%%|%c" % [42, "ab", 3.14159, 255, 8, 5, 12345.678, "z"]
# --
p format("%s and %p", "a", "a"), format("%<a>d %{b}", a: 1, b: 2), "%s" % nil, "%s" % [[1, 2]]
# --
p "abc" "def".upcase
# --
p [1, 2, 3,], {a: 1,}
# --
p "a" + "b" * 3, [0] * 3, [1, 2] * ","
# --
p 'a'..'c', ('a'..'c').include?("b"), (1..10) === 5, (1..10).step(3).to_a, (1...10).size
# --
p (1..3).sum, (1..3).reduce(:+), ("a".."c").map(&:upcase), (1..3).each_slice(2).to_a
