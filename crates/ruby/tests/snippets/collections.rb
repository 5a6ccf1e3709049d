a = [3, 1, 2]; p a.sort, a.max, a.min, a.sum, a.first, a.last(2), a.reverse, a.include?(2), a.index(1), a.minmax, a.sort.reverse, a.take(2), a.drop(1), a
# --
a = [1, 2, 3]; a << 4; a.push(5, 6); a.unshift(0); p a, a.pop, a.shift, a, a.insert(1, :x), a.delete(:x), a.delete_at(0), a.concat([9]), a.clear
# --
p([1, [2, [3, nil]]].flatten)
# --
p([1, [2, [3]]].flatten(1))
# --
p([1, nil, 2].compact)
# --
p([1, 1, 2].uniq)
# --
p([1, 2] + [3])
# --
p([1, 2, 2] - [2])
# --
p([1, 2] & [2])
# --
p([1] | [2, 1], [[1, 2], [3, 4]].transpose, [1, 2].product([3, 4]), [1, 2, 3].rotate, [1, 2, 3].each_slice(2).to_a)
# --
p([1, 2, 3, 4].select(&:even?))
# --
p([1, 2].reject { |x| x == 1 })
# --
p([1, 2].find { |x| x > 1 })
# --
p([1, 2].any? { |x| x > 1 })
# --
p([1, 2].all?(Integer))
# --
p([nil].none?)
# --
p([1, 1].one?)
# --
p([1, 2].count(1))
# --
p([1, 2, 3].count(&:odd?))
# --
p([3, 4].each_with_index.to_a)
# --
p([1, 2, 3].find_index(2))
# --
p([1, 2].sum { |x| x * 2 })
# --
p([1, 2, 3].inject(:+))
# --
p([1, 2, 3].inject(10) { |a, b| a + b })
# --
p([1, 2, 3].reduce(1, :*))
# --
p([1, 2, 3].each_with_object({}) { |x, h| h[x] = x * x })
# --
p(%w[a b c].zip([1, 2, 3]))
# --
p([1, 2].zip([3], [4, 5]))
# --
p([[1, :a], [2, :b]].to_h)
# --
p([1, 2].to_h { |x| [x, x.to_s] })
# --
p([1, 2, 3, 4].group_by(&:odd?))
# --
p([1, 2, 3].partition { |x| x > 1 })
# --
p(%w[a b a].tally)
# --
p([1, 2, 4, 5].chunk_while { |a, b| b == a + 1 }.to_a)
# --
p([1, 2, 3].min_by { |x| -x })
# --
p(%w[aa b].max_by(&:size))
# --
p(%w[bb a].sort_by(&:size))
# --
p([1, 2, 3].take_while { |x| x < 3 })
# --
p([1, 2, 3].drop_while { |x| x < 2 })
# --
p([3, 1].minmax)
# --
p([1, 2, 3, 4].each_cons(2).map(&:sum))
# --
p([1, 2, 3].cycle.first(5))
# --
p([1, 2, 3].flat_map { |x| [x, x] })
# --
p([1, 2, 3].filter_map { |x| x * 2 if x.odd? })
# --
a = [1, 2, 3, 4, 5]; p a[1..3], a[1, 2], a[-2..], a[10], a[5, 1], a[6, 1], a.values_at(0, 2, 9), a.dig(0), a.fetch(1), a.fetch(9, :d), a.fetch(9) { |i| i * 2 }, a.at(-1), a.slice(0, 2), a.sample.class, a.shuffle.size, a.first(0), a[..2], a[1..-2]
# --
a = [1, 2, 3]; a[5] = 6; p a; a[1..2] = [:x]; p a; a[0, 0] = [7, 8]; p a; a[-1] = :last; p a; b = a.fill(0); p b.size, a.equal?(b), Array.new(3) { |i| i * i }, Array.new(2, :a), Array(nil), Array([1]), Array(1..3), Array({a: 1}), Array("a")
# --
a = [3, 1, 2]; a.sort!; p a; a.map! { |x| x * 2 }; p a; a.select! { |x| x > 2 }; p a; a.reject! { |x| x > 5 }; p a; p a.uniq!, a.compact!, a.flatten!, a.reverse!; a.delete_if { |x| x }; p a; a.keep_if { true }; p [1, 2, 3].delete_if(&:odd?), [2, 1].sort_by! { |x| x }, [1, nil].compact!
# --
p([1, 2] == [1, 2])
# --
p([1] <=> [2])
# --
p([[2, 1], [1, 2]].sort)
# --
p([1, 2].hash == [1, 2].hash)
# --
p([1, 2].eql?([1.0, 2]))
# --
p([1, [2]].include?([2]))
# --
p([].first)
# --
p([].max)
# --
p([].sum)
# --
p([].inject(:+))
# --
p([nil, 1].first)
# --
p(["a"].join)
# --
p([1, [2, [3]]].join("-"))
# --
p([1, 2].inspect)
# --
p([1, 2].to_s)
# --
p([nil, true].to_s)
# --
p(%w[a b c].each_with_index { |x, i| print x, i })
# --
p(%w[a b].each_with_index.to_h)
# --
p([1, 2].each_entry.to_a)
# --
p([4, 5].each.with_index(1).map { |x, i| x * i })
# --
p([4, 5].map.with_index { |x, i| [i, x] })
# --
p([1, 2, 3].each_slice(2).with_index.map { |a, i| a.sum * i })
# --
p([1, 2].each_with_index.select { |x, i| i > 0 })
# --
p([5, 6].each.next)
# --
p(%w[x y].cycle(2).to_a)
# --
p([1, 2, 3].combination(2).to_a)
# --
p([1, 2, 3].permutation(2).count)
# --
p([1, 2, 3].each_entry.to_a)
# --
p([3, 5].bsearch { |x| x >= 4 })
# --
p([1, 2, 3].none? { |x| x > 3 })
# --
p([[1, 2], [3]].sum([]))
# --
p(["a", "b"].sum(""))
# --
p([0.1] * 3)
# --
p([0.1, 0.2, 0.3].sum)
# --
p([1, 2, 3, 4, 5].slice_when { |a, b| b.odd? }.to_a)
# --
p([1, 2].lazy.map { |x| x * 2 }.to_a)
# --
p((1..Float::INFINITY).lazy.map { |x| x * 2 }.first(2))
# --
h = {a: 1, "b" => 2}; p h[:a], h["b"], h[:z], h.key?(:a), h.has_value?(2), h.keys, h.values, h.size, h.to_a, h.fetch(:a), h.fetch(:z, 0), h.fetch(:z) { |k| k }, h.dig(:a), h.key(2), h.invert, h.any?, h.empty?, h.first, h.min_by { |k, v| v }, h.sum { |k, v| v }, h.count, h.include?(:a), h.member?(:q), h.length, h.values_at(:a, :q), h.fetch_values(:a)
# --
h = {b: 1, a: 2}; p h.map { |k, v| [k, v * 2] }.to_h, h.select { |k, v| v > 1 }, h.reject { |k, v| v > 1 }, h.min_by { |_, v| v }, h.sort.to_h, h.sort_by { |k, v| v }, h.transform_values { |v| v + 1 }, h.transform_keys(&:to_s), h.each_with_object([]) { |(k, v), a| a << k }, h.find { |k, v| v == 2 }, h.partition { |k, v| v > 1 }, h.group_by { |k, v| v.odd? }, h.to_h { |k, v| [v, k] }, h.filter_map { |k, v| k if v > 1 }, h.reduce(0) { |s, (k, v)| s + v }, h.each_with_index.map { |(k, v), i| [k, i] }, h.inject { |a, b| a + b }, h.flat_map { |k, v| [k] * v }, h.all? { |k, v| v > 0 }, h.sum { |_, v| v }, h.max_by { |k, v| v }, h.zip([1, 2]), h.sort { |a, b| a[1] <=> b[1] }, h.each_slice(1).to_a, h.entries
# --
h = {a: 1}; h[:b] = 2; h.store(:c, 3); p h.delete(:a), h.delete(:zz), h.delete(:q) { |k| k }, h; h.merge!(d: 4) ; p h, h.merge({b: 9}) { |k, o, n| o + n }, h.update(e: 5), h.reject! { |k, v| v > 4 }, h.select! { |k, v| v }, h.delete_if { |k, v| v == 2 }, h.keep_if { |k, v| v }, h.clear, h.compact, {a: nil}.compact, {a: 1, b: 2}.slice(:a), {a: 1, b: 2}.except(:a), {a: {b: 1}}.dig(:a, :b), {a: 1}.merge({b: 2}, {c: 3})
# --
h = Hash.new { |hash, k| hash[k] = k * 2 }; p h[2], h, h.fetch(3, nil), h.default, Hash.new(5)[:x], Hash.new(5).size, Hash[[[1, 2]]], Hash[1, 2], {a: 1}.default, h.default_proc.class; d = Hash.new { |_, k| "no #{k}" }; p d[:q], d.key?(:q), d.size, d.dig(:z)
# --
h = {a: 1, b: 2}; h.each { |k, v| print k, v }; h.each_pair { |k, v| print k, v }; h.each { |pair| print pair.inspect }; h.each_key { |k| print k }; h.each_value { |v| print v }; puts; h.each_with_index { |(k, v), i| print k, v, i }; puts; p h.each_pair.to_a, h == {b: 2, a: 1}, h.eql?({a: 1, b: 2}), h > {a: 1}, {a: 1} <= h, h.hash == {b: 2, a: 1}.hash, h.sum { |k, v| v }, h.to_a.flatten, h.inspect, h.to_s, h.compare_by_identity.class, h.rehash.size
# --
h = {1 => :a, 1.0 => :b, "1" => :c, nil => :d, [1] => :e}; p h, h[1], h[1.0], h[[1]], h[nil], h.assoc("1"), h.rassoc(:a), h.filter_map { |k, v| v if k }, h.each_entry.to_a.size, h.key(:d), h.find_all { |k, v| v == :a }, h.each_cons(2).count, h.uniq.size, h.min_by { |k, v| v }, h.take(1), h.first(2), h.drop(3), h.each_with_object({}) { |(k, v), m| m[v] = k }
# --
x = [1, 2, 3]; y = x; y << 4; p x, x.equal?(y), x.dup.equal?(x), x.frozen?, [x].flatten.equal?(x); z = [[0] * 2] * 2; z[0][0] = 1; p z; w = Array.new(2) { [] }; w[0] << 1; p w; r = [1, 2, 3].each { |v| v }; p r; s = ["a"]; t = s.map { |q| q }; t[0] << "b"; p s, s.reverse[0].equal?(s[0])
# --
require "set"; s = Set.new([1, 2, 2]); s << 3; p s.include?(2), s.size, s.to_a, s | [9], s & [1], s - [1], s.subset?(Set[1, 2, 3, 4]), s.add?(1), s.map { |x| x * 2 }.class, s == Set[3, 2, 1], s.delete(1), Set.new([1]).inspect, s.empty?, s.each { |x| x }.class, s === 2, [1, 1].to_set.size, s.superset?(Set[2]), s.disjoint?([7]), s ^ [2], s.group_by(&:odd?), s.merge([5]), s.to_set.equal?(s), s.min, s.sort, s.first, Set[1, [2]].flatten.class, Set[1] <= Set[1, 2], s.add(4).length
# --
p((1..10).select(&:even?))
# --
p((1..3).to_a.reverse)
# --
p((1...4).include?(4))
# --
p(("a".."e").each_slice(2).to_a)
# --
p((1..3).inject(:*))
# --
p((1..10).step(4).to_a)
# --
p(1.step(10, 4).to_a)
# --
p(10.downto(7).to_a)
# --
p(3.times.to_a)
# --
p(1.upto(3).map { |x| x })
# --
p((1..3).cover?(2))
# --
p((1..).first(2))
# --
p((1..3).each_entry.to_a)
# --
p((0.5..2.5).include?(1))
# --
p((1..3) == (1..3))
# --
p((1..3).hash == (1..3).hash)
# --
p((1..10) % 3)
# --
p(('a'..'z').count)
# --
p((1..4).each_cons(2).to_a)
# --
p((1..3).min)
# --
p((1..3).max)
# --
p((1..3).minmax)
# --
p((1..0).to_a)
# --
p((1..3).zip(4..6))
# --
p((1..6).partition(&:even?))
# --
p((1..3).reverse_each.to_a)
# --
p((1..3).first)
# --
p((1..3).last)
# --
p((1..3).last(2))
# --
p((1..3).begin)
# --
p((1..3).end)
# --
p((1..nil).end)
# --
p((1..3).exclude_end?)
# --
p((1..3).size)
# --
p((1..3).tally)
# --
p((1..4).sum { |x| x * 2 })
# --
p(Range.new(1, 3, true))
# --
a = [1, 2, 3, 4, 5, 6]; p a.each_slice(4).map(&:sum), a.inject { |m, x| m > x ? m : x }, a.each_with_index.max_by { |x, i| -i }, a.sum.fdiv(a.size), a.find_all { |x| x % 3 == 0 }, a.values_at(1, 3), a.each_cons(3).first, a.min(2), a.max(2), a.sum { |x| x.to_f }, a.reverse_each.first(2), a.select.with_index { |x, i| i.even? }, a.reject.with_index { |x, i| i < 4 }, a.group_by { |x| x % 3 }.transform_values(&:sum), a.chunk { |x| x > 3 }.to_a, a.zip(a.rotate).to_h.size, a.dup.shift(2), a.dup.pop(2), a.assoc(1), [[1, 2]].assoc(1), a.none?, a.to_a.equal?(a), a.entries, a.lazy.select(&:even?).first(1), a.partition.with_index { |x, i| i < 2 }, a.each_entry.map { |x| x }.size, a.sum(0.0), a.step rescue p $!.class
# --
p([1, 2, 3].to_a.each_with_index.each_with_object([]) { |(x, i), acc| acc << x * i })
# --
p([[1, [2, 3]]].each { |a, (b, c)| p [a, b, c] })
# --
p([[1, 2], [3, 4]].each_with_index.map { |(a, b), i| a + b + i })
# --
p({a: 1}.each_with_index.map { |(k, v), i| [k, v, i] })
# --
p([["k", {v: 1}]].each_with_object({}) { |(k, h), acc| acc[k] = h[:v] })
# --
p([[[1, 2], 3]].map { |(a, b), c| a + b + c })
# --
p([1, 2, 3].each_with_index.inject(0) { |s, (x, i)| s + x * i })
