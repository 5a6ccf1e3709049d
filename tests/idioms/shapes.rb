# frozen_string_literal: false

# Values of other shapes in blocks: lists taken apart, spread arguments, maps with a default, runs of a list. `record.rb` records what
# Ruby returns for the values in the comment before an attribute.
module IdiomShapes
  MARKS = Hash.new(['#', '']).merge('.sql' => ['--', ''], '.xml' => ['<!--', '-->'])
  ROWS = [[:port, 1.5, 'a'], [:host, 0.25, 'b']].freeze
  RANGE = (1..4094)
  DIGITS = /\d+/
  TABLE = IdiomShapes

  def self.limits
    [1, 9]
  end

  def self.given(list)
    list = [] if list == 'a'
    list
  end

  def self.small(map)
    result = {}
    map.each { |key, value| result[key.downcase] = value }
    result
  end
end

Puppet::Type.newtype(:idioms_shapes) do
  newparam(:name, namevar: true)

  # ['.sql','.txt',nil]
  newparam(:sa1) do
    munge { |value| IdiomShapes::MARKS[value] }
  end

  # [[['a',1],['b',2]],[['a']],['a','b'],[]]
  newparam(:sa2) do
    munge { |value| [value.map { |first, *| first }, value.map { |first,| first }, value.each_with_object([]) { |(one), all| all << one }] }
  end

  # [{'a'=>1,'b'=>2},{}]
  newparam(:sa3) do
    munge { |value| [value.map { |key, *| key }, value.any? { |key, *| key == 'b' }] }
  end

  # [[1,2,3,7,9,10],[],[5],[3,1,2]]
  newparam(:sa4) do
    munge do |value|
      [
        value.slice_when { |a, b| b != a + 1 }.map { |run| run.size > 1 ? "#{run.first}-#{run.last}" : run.first.to_s },
        value.chunk_while { |a, b| b == a + 1 }.to_a,
      ]
    end
  end

  # [['a','b'],['b','c'],[]]
  newparam(:sa5) do
    munge do |value|
      map = { 'a' => 1, 'b' => { 'c' => 2 } }
      [map.slice(*value), map.except(*value), map.dig(*value), map.values_at(*value)]
    rescue StandardError
      'none'
    end
  end

  # [5,0,9,10]
  newparam(:sa6) do
    munge { |value| value.between?(*IdiomShapes.limits) }
  end

  # [5]
  newparam(:sb7) do
    munge { |value| value.between?(*(IdiomShapes.limits + [5])) }
  end

  # ['abcdef',['a','b','c'],{0=>'x',3=>'y'}]
  newparam(:sb5) do
    munge { |value| value.slice(*[0, 3]) }
  end

  # ['abc',[1,[2]]]
  newparam(:sb6) do
    munge { |value| { 'a' => value }.dig(*['a', 0]) }
  end

  # [['/etc','a','b'],['/','x/'],['a'],[],['a',['b',['c']]]]
  newparam(:sa7) do
    munge { |value| [File.join(value), File.join(*value), File.join('/srv', value), File.join('/srv', *value, 'end')] }
  end

  # [[1],{},'a',nil,1,1.5,true,'sym']
  newparam(:sa8) do
    munge do |value|
      [
        value.respond_to?(:sort), value.respond_to?(:to_set), value.respond_to?(:each), value.respond_to?(:round), value.respond_to?(:!),
        value.respond_to?(:casecmp?), value.respond_to?(:unwrap), value.respond_to?(:year), value.respond_to?(:fetch)
      ]
    end
  end

  # ['port','host','none']
  newparam(:sa9) do
    munge do |value|
      _, factor, = IdiomShapes::ROWS.assoc(value.to_sym)
      factor.nil? ? "#{value} is not in #{IdiomShapes::RANGE}" : [factor, factor * 2]
    end
  end

  # [2]
  newparam(:sb1) do
    munge { |value| IdiomShapes::TABLE::ROWS.map { |name, factor, *| [name, factor * value] } }
  end

  # ['2024-03-01 12:00:00 +0200','2018-01-02T03:04:05Z','none']
  newparam(:sb3) do
    munge do |value|
      [Time.parse(value).utc.iso8601, Time.parse(value).getutc.strftime('%H:%M'), Time.parse(value).utc < Time.parse('2020-01-01T00:00:00Z')]
    end
  end

  # ['https://example.com/a','/etc/a','a b','file:///x']
  newparam(:sb4) do
    munge do |value|
      uri = URI.parse(value)
      [uri.absolute?, uri.relative?]
    end
  end

  letters = /[a-z]/i
  plain = /b+/
  entries = { rule: /x/m }
  # ['abb','7']
  newparam(:sb8) do
    munge { |value| ["#{letters} #{plain} #{IdiomShapes::DIGITS} #{entries[:rule]}", value =~ /a#{plain}/ ? 'yes' : 'no'] }
  end

  attribute = 'first'
  match = /\d/
  rule = { range: 3...9 }
  # ['3','a']
  newparam(:sb2) do
    munge do |value|
      ["#{attribute}: #{rule[:range].first} from #{rule[:range]}", value =~ match ? 'yes' : 'no', rule[:range].cover?(value.to_i)]
    end
  end

  # ['a1','b22','',"x\n9"]
  newparam(:sb9) do
    munge do |value|
      unit, size = value.match(/([a-z])(\d+)/) { |m| [m[1].upcase, m[2].to_i] }
      [unit, size, IdiomShapes::DIGITS.match(value) { |found| "<#{found}>" }, value.match(/(?<letter>[a-z])\d/) { |m| m[:letter] }]
    end
  end

  # [{'Name'=>'a','kind'=>'K','Other'=>1},{'kind'=>nil},{}]
  newparam(:sc1) do
    munge do |value|
      entry = IdiomShapes.small(value)
      kind = entry.delete('kind').to_s.downcase
      entry.delete('other')
      [kind, entry.keys]
    end
  end

  # ['a,b','b','a']
  newparam(:sc2) do
    munge { |value| [value.to_s.split(',').delete('a'), value.to_s.delete('a'), { 'a' => value }.delete('a')] }
  end

  # ['a-b',['-','b'],{'-'=>1},[]]
  newparam(:sc3) do
    munge { |value| value.delete('-').to_s }
  end

  # ['a','b']
  newparam(:sc4) do
    munge { |value| IdiomShapes.given(value).delete('a').to_s }
  end

  # ['http://a','foo']
  newparam(:sc5) do
    munge do |value|
      uri = URI.parse(value)
      uri.is_a?(URI::HTTP)
    end
  end

  # [{'b' => '2', 'a' => '1'}, {}]
  newparam(:folded) do
    munge { |v| maps = v.map { |k, x| { k => x } }; [maps.reduce(&:merge), maps.reduce({}, :merge), maps.inject(:merge)] }
  end

  # [['b', 'a', 'c'], ['a', 'A', 'b', 'B']]
  newparam(:grepped) do
    munge { |v| [v.grep(/([a-z])/) { $1 }, v.grep(/a/) { |x| x + $& }] }
  end

  # ['a', "a\n", "\n", "a\n\nb\n", '']
  newparam(:indented) do
    munge { |v| [v.gsub(/^/, '> '), v.scan(/^.*$/), v =~ /^$/, v.split(/^/)] }
  end

  # [['a', 'b', 'a'], ['ab'], ['b', 'ab', 'c', 'dd'], []]
  newparam(:gathered) do
    munge do |v|
      sizes = {}
      v.each { |x| (sizes[x.size] ||= []) << x }
      counts = v.each_with_object(Hash.new(0)) { |x, h| h[x] += 1 }
      [sizes, counts, counts['none'], v.each_with_object(Hash.new { |h, k| h[k] = [] }) { |x, h| h[x.size] << x },
       v.each_with_object({}) { |x, h| (h[x.size] ||= []).push(x) }]
    end
  end

  # [['a', 'b', 'a'], ['ab'], []]
  newparam(:numbered) do
    munge do |v|
      [v.each.with_index(1).map { |x, i| "#{i}#{x}" }, v.each_slice(2).with_index.map { |s, i| [i, s] },
       v.each_with_index.select { |_, i| i.odd? }, v.join("\n").lines(chomp: true)]
    end
  end
end
