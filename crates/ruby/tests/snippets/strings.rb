p "hello".sub("l", "L"), "hello".gsub("l") { |m| m.upcase }, "hello".gsub(/l(.)/) { $1 }, "a-b".tr("-", "_"), "hello".gsub(/[el]/, "e" => "3", "l" => "1")
# --
p("a,b,c".split(","))
# --
p("a b  c".split)
# --
p("abc".split(""))
# --
p("a1b2".split(/\d/))
# --
p("a,b,c".split(",", 2))
# --
p("k=v=w".partition("="))
# --
p("k=v=w".rpartition("="))
# --
p("abc"[0])
# --
p("abc"[-1])
# --
p("abc"[0, 2])
# --
p("abc"[0..1])
# --
p("abc"[5])
# --
p("abc"[/b./])
# --
p("abc"["bc"])
# --
p("abc".slice(1..))
# --
p("hello"[1...-1])
# --
s = "hello"; s[0] = "J"; p s; s[1..2] = "EL"; p s; s[/o$/] = "0"; p s; s["J"] = "j"; p s
# --
p("Hello".upcase)
# --
p("Hello".downcase)
# --
p("hello world".capitalize)
# --
p("Hello".swapcase)
# --
p(" x ".strip)
# --
p(" x ".lstrip)
# --
p("x\n".chomp)
# --
p("xy".chop)
# --
p("path/".chomp("/"))
# --
p("abc".include?("b"))
# --
p("abc".start_with?("a", "z"))
# --
p("abc".end_with?("c"))
# --
p("abc".index("c"))
# --
p("abcabc".rindex("b"))
# --
p("abc".start_with?(/[a-c]/))
# --
p "abc" =~ /c/, $~[0], $`, $', "abc" !~ /z/, "foo bar".match(/(?<a>\w+) (?<b>\w+)/)[:b], "foo".match?(/o/), "x".match(/y/)
# --
p("a1b22".scan(/\d+/))
# --
p("a1b22".scan(/([a-z])(\d+)/))
# --
p("abc".each_char.to_a)
# --
p("ab\ncd".lines)
# --
p("ab\ncd".each_line.map(&:chomp))
# --
p("abc".chars)
# --
p("ab".bytes)
# --
p("abc".reverse)
# --
p("abc".length)
# --
p("abc".center(9, "*"))
# --
p("abc".ljust(5, "."))
# --
p("abc".rjust(5))
# --
p("abc" * 2)
# --
p("abc".hash == "abc".hash)
# --
p("a".ord)
# --
p("abc".sum)
# --
p("abc".succ)
# --
p("az".next)
# --
p("zz".succ)
# --
p("a9".succ)
# --
p("1.9".succ)
# --
p("abc".insert(1, "X"))
# --
p("abc".prepend("z"))
# --
p("abc".delete("b"))
# --
p("aabb".squeeze)
# --
p("aabb".count("a"))
# --
p("abc" <=> "abd")
# --
p("a" == :a)
# --
p("a".eql?("a"))
# --
p("abc".casecmp("ABC"))
# --
p("abc".casecmp?("ABC"))
# --
p("abc".empty?)
# --
p("".empty?)
# --
s = "abc"; s << "d" << 101; p s; s.concat("f", "g"); p s; s.replace("new"); p s; s.clear; p s; s.upcase!; p s, "abc".upcase!, "ABC".upcase!
# --
p "%s" % "a", "%d%%" % 5, "abc".to_sym, :abc.to_s, "12.5kg".to_f, "0b11".to_i(0), "12".to_i.to_s, "1e3".to_f, "abc".to_i, "3.7".to_r rescue p 1
# --
p "abc".unpack("C*"), ["a"].pack("m"), "YQ==\n".unpack1("m") rescue p 2
# --
p "CamelCase".gsub(/([A-Z])/) { "_" + $1.downcase }, "a.b".gsub(".", "-"), "path/to".gsub("/", "::"), "aaa".sub(/a/) { |m| m.upcase }, "x".gsub(/x/, '\0\0'), "john".gsub(/(?<f>j)/, '<\k<f>>')
# --
p "abc".frozen?, :a.to_proc.call("x") rescue p 3
# --
p "ab" "cd", "tab\tx".inspect, "q\"q".inspect, 'a\b'.inspect, "\#{x}".inspect, "é\u0001".inspect, "#x #$ #@".inspect
# --
p "hello world foo".split.map(&:capitalize).join(" "), "a-b_c d".split(/[-_ ]/), "  a  b ".split(" "), "abc".each_char.with_index.map { |c, i| c * i }, "a\tb".expand_path rescue p 4
# --
p("abc".tr("a-c", "A-C"))
# --
p("hello".tr("el", "ip"))
# --
p("hello".tr("^l", "*"))
# --
p("hello".delete("l-o"))
# --
p("abc".unicode_normalize)
# --
p("ab12".tr("0-9", ""))
# --
p("hello".tr_s("l", "r"))
# --
p("ß".upcase)
# --
p("ÀÉ".downcase)
# --
p("éa".capitalize)
# --
p("i".upcase)
# --
p("日本語"[1])
# --
p("日本語".reverse)
# --
p("日本語".bytesize)
# --
p("éé".index("é", 1))
# --
p("line1\nline2\n".each_line.to_a)
# --
p("a\n\nb".lines)
# --
p("a\r\nb".lines.map(&:chomp))
# --
p("abc\n".chomp!)
# --
p("abc".chomp!)
# --
p("x".then { |s| s + "y" })
# --
p "abc".between?("abb", "abd"), "a".upto("e").to_a, "08".upto("11").to_a, "a".."c", "abc".sum, "abc".crypt("ab") rescue p 5
# --
p("1,2;3".split(/[,;]/).map(&:to_i).sum)
# --
p("a=1&b=2".split("&").map { |kv| kv.split("=") }.to_h)
# --
p("x".encoding.to_s)
# --
p("abc".force_encoding("UTF-8"))
# --
p("abc".valid_encoding?)
# --
p("abc".ascii_only?)
# --
p :abc <=> :abd, :a.length, :abc[1], :a.to_proc.call("b") rescue p 6
# --
p("abc".delete_prefix("a"))
# --
p("abc".delete_suffix("c"))
# --
p("abcdef".each_char.each_slice(2).map(&:join))
# --
p("hello"=~/ll/)
# --
p("a".casecmp("b"))
# --
p("Abc".swapcase!)
# --
p("x".eql?("y"))
# --
s = "a"; t = s; t += "b"; p s, t; u = s; u << "c"; p s; v = s.dup; v << "d"; p s, v, s.equal?(u)
# --
a = "x"; h = {a => 1}; a << "y"; p h, h["x"]; p "ab".each_char.to_a.permutation.map(&:join), "a%b" % [], "%-5s|" % "ab", "%05.1f" % 3.14159, "%+d" % 5, "%#x" % 255, "%08b" % 37, "%.3s" % "abcdef", "%c" % 65, "%5s%%" % 1
# --
puts "a", ["b", ["c"]], nil, [], [nil]; print "x", 1, nil, "\n"; p; p 1, 2; puts; puts "a\n"; puts [[], [1]].inspect; pp({a: 1}); $stdout.puts "out"; $stderr.class; putc "x"; puts
# --
puts "abc".then { "#{_1}!" }, "snake_case_word".split("_").map.with_index { |w, i| i.zero? ? w : w.capitalize }.join, "title case".split.map(&:capitalize) * " ", "x=%d y=%s" % [1, :b], "abc".sub!("z", "y").inspect, "a".."c"
