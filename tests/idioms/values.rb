# frozen_string_literal: false

# Ruby's core language in blocks. `record.rb` records what Ruby returns for the values in the comment before an attribute.
Puppet::Type.newtype(:idioms_values) do
  newparam(:name, namevar: true)

  # [5, 500]
  newparam(:va1) do
    def values_1(value)
      (1..100).cover?(value)
    end
    munge { |value| [values_1(value)] }
  end

  # [[1,2],[]]
  newparam(:va2) do
    def values_2(value)
      [0, *value, 9]
    end
    munge { |value| [values_2(value)] }
  end

  # [{'a'=>1,'b'=>2}]
  newparam(:va3) do
    def values_3(value)
      value.inject({}) { |h, (k, v)| h.merge(k => v) }
    end
    munge { |value| [values_3(value)] }
  end

  # [['a','b']]
  newparam(:va4) do
    def values_4(value)
      value.each_with_index.map { |x, i| "#{i}#{x}" }
    end
    munge { |value| [values_4(value)] }
  end

  # [['a','b']]
  newparam(:va5) do
    def values_5(value)
      value.map.with_index { |x, i| "#{i}#{x}" }
    end
    munge { |value| [values_5(value)] }
  end

  # [['a','b']]
  newparam(:va6) do
    def values_6(value)
      value.map.with_index(1) { |x, i| "#{i}#{x}" }
    end
    munge { |value| [values_6(value)] }
  end

  # [[1,2]]
  newparam(:va7) do
    def values_7(value)
      value.zip([3,4]).to_h
    end
    munge { |value| [values_7(value)] }
  end

  # [[1,2]]
  newparam(:va8) do
    def values_8(value)
      Hash[value.zip([3,4])]
    end
    munge { |value| [values_8(value)] }
  end

  # [[1,2]]
  newparam(:va9) do
    def values_9(value)
      Hash[value.map { |x| [x, x.to_s] }]
    end
    munge { |value| [values_9(value)] }
  end

  # [[1,2]]
  newparam(:va10) do
    def values_10(value)
      Hash[*value]
    end
    munge { |value| [values_10(value)] }
  end

  # [[1,2,3]]
  newparam(:va11) do
    def values_11(value)
      value.group_by { |x| x % 2 }.map { |k, v| [k, v.sum] }
    end
    munge { |value| [values_11(value)] }
  end

  # [[3,1,2]]
  newparam(:va12) do
    def values_12(value)
      value.permutation.to_a
    end
    munge { |value| [values_12(value)] }
  end

  # [[3,1,2]]
  newparam(:va13) do
    def values_13(value)
      value.combination(2).to_a
    end
    munge { |value| [values_13(value)] }
  end

  # [[3,1,2]]
  newparam(:va14) do
    def values_14(value)
      value.permutation(2).map { |a, b| a + b }
    end
    munge { |value| [values_14(value)] }
  end

  # [[3,1,2]]
  newparam(:va15) do
    def values_15(value)
      value.each_slice(2).map { |a, b| [b, a] }
    end
    munge { |value| [values_15(value)] }
  end

  # [[3,1,2]]
  newparam(:va16) do
    def values_16(value)
      value.each_cons(2).all? { |a, b| a < b }
    end
    munge { |value| [values_16(value)] }
  end

  # [[3,1,2]]
  newparam(:va17) do
    def values_17(value)
      [value.sum, value.min, value.max, value.min_by { |x| -x }, value.minmax, value.sort { |a, b| b <=> a }, value.max(2), value.min(2)]
    end
    munge { |value| [values_17(value)] }
  end

  # ['a', [1], {'a'=>1}]
  newparam(:va18) do
    def values_18(value)
      [value.respond_to?(:each), value.respond_to?(:to_str), value.respond_to?(:split), value.respond_to?(:upcase), value.respond_to?(:to_sym)]
    end
    munge { |value| [values_18(value)] }
  end

  # ['Ab']
  newparam(:va19) do
    def values_19(value)
      [value.send(:upcase), value.public_send('downcase'), value.__send__(:length)]
    end
    munge { |value| [values_19(value)] }
  end

  # ['5','x']
  newparam(:va20) do
    def values_20(value)
      Integer(value, 10)
    end
    munge { |value| [values_20(value)] }
  end

  # [3]
  newparam(:va21) do
    def values_21(value)
      (1..value).map { |i| i * i }
    end
    munge { |value| [values_21(value)] }
  end

  # [[1, 'a']]
  newparam(:va22) do
    def values_22(value)
      '%d-%s' % value
    end
    munge { |value| [values_22(value)] }
  end

  # ['x', nil]
  newparam(:va23) do
    def values_23(value)
      [value&.length, value&.upcase&.downcase]
    end
    munge { |value| [values_23(value)] }
  end

  # ['abcdef']
  newparam(:va24) do
    def values_24(value)
      [value[0], value[-1], value[1..3], value[1...-1], value[1,2], value[/c(d)/, 1], value['cd'], value.slice(0, 2), value[1..], value[..2]]
    end
    munge { |value| [values_24(value)] }
  end

  # ['a,b']
  newparam(:va25) do
    def values_25(value)
      value.each_char.map { |c| c.ord }
    end
    munge { |value| [values_25(value)] }
  end

  # [['a','b','a']]
  newparam(:va26) do
    def values_26(value)
      value.tally
    end
    munge { |value| [values_26(value)] }
  end

  # [['a','b','a'], ['a']]
  newparam(:va27) do
    def values_27(value)
      value.detect { |e| value.count(e) > 1 }
    end
    munge { |value| [values_27(value)] }
  end

  # [[1,2,3]]
  newparam(:va28) do
    def values_28(value)
      value.map { _1 * 2 }
    end
    munge { |value| [values_28(value)] }
  end

  # [[[1,2],[3,4]]]
  newparam(:va29) do
    def values_29(value)
      [value.map { |a, b| a + b }, value.map { |(a, b)| a + b }, value.to_h, value.map(&:first), value.each_with_index.map { |(a, b), i| a + b + i }, value.sum { |a, b| a * b }]
    end
    munge { |value| [values_29(value)] }
  end

  # [[[1,[2,3]],[3,[4,5]]]]
  newparam(:va30) do
    def values_30(value)
      value.map { |a, (b, c)| a + b + c }
    end
    munge { |value| [values_30(value)] }
  end

  # [[[1,2,3],[3,4]]]
  newparam(:va31) do
    def values_31(value)
      value.map { |a, *b| b }
    end
    munge { |value| [values_31(value)] }
  end

  # [[3,1,2]]
  newparam(:va32) do
    def values_32(value)
      value = value.dup
      [value | [9], value.union([9]), value.include?(1), value.index(1), value.push(1).length, value.insert(1, 5)]
    end
    munge { |value| [values_32(value)] }
  end

  # [[3,1,2]]
  newparam(:va33) do
    def values_33(value)
      value.sort_by { |x| [-x, x] }
    end
    munge { |value| [values_33(value)] }
  end

  # ['a', 5]
  newparam(:va34) do
    def values_34(value)
      value.to_s.rjust(5, '0') + value.to_s.ljust(3) + value.to_s.center(7, '*')
    end
    munge { |value| [values_34(value)] }
  end

  # ['a']
  newparam(:va35) do
    def values_35(value)
      "#{value}" 'b' "c"
    end
    munge { |value| [values_35(value)] }
  end

  # ['true', 'no', true]
  newparam(:va36) do
    def values_36(value)
      !!(value =~ /^true$/)
    end
    munge { |value| [values_36(value)] }
  end

  # ['true', 'no', true]
  newparam(:va37) do
    def values_37(value)
      !!value.to_s.match(/^(true|yes)$/i)
    end
    munge { |value| [values_37(value)] }
  end

  # ['abc']
  newparam(:va38) do
    def values_38(value)
      value.sub('b') { |m| m.upcase }.gsub(/[ac]/, 'a' => '1', 'c' => '3')
    end
    munge { |value| [values_38(value)] }
  end

  # ['abc']
  newparam(:va39) do
    def values_39(value)
      value.gsub(/(b)/) { $1.upcase }
    end
    munge { |value| [values_39(value)] }
  end

  # ['abc']
  newparam(:va40) do
    def values_40(value)
      value.gsub(/(?<x>b)/) { Regexp.last_match[:x].upcase }
    end
    munge { |value| [values_40(value)] }
  end

  # ['abc']
  newparam(:va41) do
    def values_41(value)
      value.sub(/(b)/, '<\1>').sub('c', "\\0\\0")
    end
    munge { |value| [values_41(value)] }
  end

  # ['a1b22']
  newparam(:va42) do
    def values_42(value)
      [value.scan(/[a-z]\d+/), value.scan(/([a-z])(\d+)/), value.scan(/([a-z])(\d+)/).map { |a, b| b.to_i }, value.scan(/\d/) { |x| x }]
    end
    munge { |value| [values_42(value)] }
  end

  # ['a1b22']
  newparam(:va43) do
    def values_43(value)
      value.scan(/([a-z])(\d+)/).to_h
    end
    munge { |value| [values_43(value)] }
  end

  # [{'b'=>'1', 'a'=>'x'}]
  newparam(:va44) do
    def values_44(value)
      [Hash[value.sort], value.sort.to_h, value.sort_by { |k, _| k }.to_h, value.sort_by(&:first), value.min, value.max, value.to_a.transpose]
    end
    munge { |value| [values_44(value)] }
  end

  # ['a']
  newparam(:va45) do
    def values_45(value)
      [value, value].each_with_index.to_a
    end
    munge { |value| [values_45(value)] }
  end

  # ['a', nil, '']
  newparam(:va46) do
    def values_46(value)
      value.to_s.empty? ? :absent : value.to_sym
    end
    munge { |value| [values_46(value)] }
  end

  # ['ab']
  newparam(:va47) do
    def values_47(value)
      value.chars.each_slice(1).map(&:join)
    end
    munge { |value| [values_47(value)] }
  end

  # ['ab']
  newparam(:va48) do
    def values_48(value)
      value.then { |s| s + 'x' }
    end
    munge { |value| [values_48(value)] }
  end

  # [[1,2,3]]
  newparam(:va49) do
    def values_49(value)
      value.each_entry { |x| raise 'x' if x > 3 }
      value
    end
    munge { |value| [values_49(value)] }
  end

  # [['b','a']]
  newparam(:va50) do
    def values_50(value)
      value.grep(/(a)/) { |x| x.upcase }
    end
    munge { |value| [values_50(value)] }
  end

  # [['b', ['a']]]
  newparam(:va51) do
    def values_51(value)
      [value].flatten.map(&:to_s).uniq.sort.join(', ')
    end
    munge { |value| [values_51(value)] }
  end

  # [['b','a'], 'x']
  newparam(:va52) do
    def values_52(value)
      Array(value).map { |x| x.to_s.strip }.reject(&:empty?)
    end
    munge { |value| [values_52(value)] }
  end

  # ['x', '5']
  newparam(:va53) do
    def values_53(value)
      (value =~ /^\d+$/).nil? ? value : value.to_i
    end
    munge { |value| [values_53(value)] }
  end

  # ['a', 'zz']
  newparam(:va54) do
    def values_54(value)
      unless %w[a b c].include?(value) then raise ArgumentError, "Invalid: #{value.inspect}" end
      value
    end
    munge { |value| [values_54(value)] }
  end

  # ['0644', '999', 420]
  newparam(:va55) do
    def values_55(value)
      value.is_a?(String) && value =~ /^[0-7]+$/ ? value.to_i(8).to_s(8).rjust(4, '0') : value.to_s
    end
    munge { |value| [values_55(value)] }
  end

  # ['2-5','7-7','5-2']
  newparam(:range1) do
    def range_1(value)
      from, to = value.split('-')
      Array(from.to_i..to.to_i).map { |n| n * 2 }
    end
    munge { |value| [range_1(value)] }
  end

  # ['a',['a'],{'a'=>1},3]
  newparam(:exact1) do
    def exact_1(value)
      [value.instance_of?(String), value.instance_of?(Array), value.instance_of?(Hash), value.instance_of?(Integer)]
    end
    munge { |value| [exact_1(value)] }
  end

  # [{'a'=>{'b'=>1}}]
  newparam(:deep1) do
    def deep_1(value)
      copy = Marshal.load(Marshal.dump(value))
      copy['a']['b'] = 2
      [copy, value]
    end
    munge { |value| [deep_1(value)] }
  end

  # [{'a'=>'X'},{'a'=>1},{'b'=>'X'}]
  newparam(:part1) do
    def part_1(value)
      copy = value.dup
      copy['a'] = copy['a'].downcase if copy['a'].respond_to?(:downcase)
      [copy, copy.values.first.respond_to?(:strip), copy['a'].respond_to?(:unwrap)]
    end
    munge { |value| [part_1(value)] }
  end

  # ['/a/b.c','b','/']
  newparam(:pathname1) do
    def pathname_1(value)
      path = Pathname(value)
      [Pathname(value).absolute?, Pathname(value).dirname.to_s, path.basename.to_s]
    end
    munge { |value| [pathname_1(value)] }
  end

  # ['http://a.b/c','ftp://a','see https://a']
  newparam(:schemes1) do
    munge { |value| [value =~ URI::DEFAULT_PARSER.make_regexp(%w[http https]) ? 'found' : 'none'] }
  end

  # ['http://a.b/c','http://localhost:3000/','ftp://a','http:','see https://a','https://u:p@[::1]:1/%20?q#f','http:a','http://a b','https:///x']
  newparam(:schemes2) do
    munge { |value| [value =~ /\A#{URI::DEFAULT_PARSER.make_regexp(%w[http https])}\z/ ? 'whole' : 'other'] }
  end

  # [['a','a'],['a','b'],['a'],[],['a','a','a']]
  newparam(:reduced1) do
    munge { |value| [value, value.reverse].reduce(:==) ? 'same' : 'other' }
  end

  # [['a','b'],['a','a']]
  newparam(:reduced2) do
    munge { |value| value.map { |v| { v => v.upcase } }.inject(:merge) }
  end

  # ['7','x','12']
  newparam(:kernel_format1) do
    munge { |value| [Kernel.format('%03d', Kernel.Integer(value)), Kernel.format('%<n>03d-%{s}', n: Integer(value), s: value)] }
  end

  # ['abc','x','']
  newparam(:named_with_a_mark1) do
    munge { |value| [checked!(value), self.checked(value)] }

    def checked!(value)
      raise ArgumentError, 'empty' if value.empty?

      "#{value}!"
    end

    def checked(value)
      "#{value}?"
    end
  end

  # ['ann@host','"ann"@host','@','ann','a@b@c']
  newparam(:either_match1) do
    munge do |value|
      m = /\A"(?<user>[^"]*)"@(?<host>\w+)\z/.match(value) || /\A(?<user>[^@"]+)@(?<host>\w+)\z/.match(value)
      m.nil? ? [value] : [m[:user], m[:host]]
    end
  end

  # ['ann@host','ann','@']
  newparam(:helper_match1) do
    munge do |value|
      found = account_of(value)
      found ? [found[:user], found['host']] : [value]
    end

    def account_of(text)
      /\A(?<user>\w+)@(?<host>\w+)\z/.match(text)
    end
  end

  # ['ann@host','ann']
  newparam(:match_or_raise1) do
    munge do |value|
      m = /\A(?<user>\w+)@(?<host>\w+)\z/.match(value) || raise(ArgumentError, 'not an account')
      [m[:host], m[:user]]
    end
  end

  # ["'ann'@host",'ann@host','<ann>host','@','ann']
  newparam(:either_match2) do
    munge do |value|
      m = /\A(?<q>['"])(?<user>\w*)\k<q>@(?<host>\w+)\z/.match(value) || /\A(?<user>\w+)@(?<host>\w+)\z/.match(value) || /\A<(?<user>\w+)>(?<host>\w+)(?<rest>.*)\z/.match(value)
      m.nil? ? [value] : [m[:user], m[:host], m.to_s]
    end
  end

  # ['b1','c','a2']
  newparam(:nothing_found1) do
    munge do |value|
      text = 'none'
      if value.size > 0
        _, text = { 'a' => 'first', 'b' => 'second' }.find { |prefix, _| value =~ /\A#{prefix}\d/ }
      end
      [text || 'other']
    end
  end

  # ['abc']
  newparam(:digest1) do
    munge do |value|
      [Digest::SHA512.hexdigest(value), Digest::SHA384.hexdigest(value), OpenSSL::Digest::SHA256.hexdigest(value), OpenSSL::Digest::MD5.hexdigest(value)]
    end
  end

  # ['a']
  newparam(:env1) do
    munge { |value| [ENV.fetch('NO_SUCH_VARIABLE_OF_RTYPE')] }
  end

  # ['a',12]
  newparam(:format1) do
    def self.format_1(value)
      [format('%<n>05.1f %% %{v}|', n: 3.14159, v: value), sprintf('%<v>-6s|%<n>x', v: value, n: 255)]
    end
    munge { |value| self.class.format_1(value) }
  end

  # ['a1', '1a', 'b2c']
  newparam(:last_match1) do
    def last_match_1(value)
      return 'none' unless value =~ /(?<letter>[a-z])(?<number>\d)/

      found = Regexp.last_match
      [found[:number], found['letter'], found[0], found[2]]
    end
    munge { |value| [last_match_1(value)] }
  end

  # ['a1', '1a']
  newparam(:last_match2) do
    def last_match_2(value)
      value =~ /([a-z])(\d)/
      found = Regexp.last_match
      found ? found[2].to_i : -1
    end
    munge { |value| [last_match_2(value)] }
  end

  # [2, 4]
  newparam(:class_constant1) do
    const_set(:LIMIT, 3)
    munge { |value| [value > self.class::LIMIT, resource.class::WORDS.first] }
  end
  const_set(:WORDS, %w[one two].freeze)

  # [0, 3, 2.5]
  newparam(:nonzero1) do
    munge { |value| [value.nonzero?, value.nonzero? || 1] }
  end

  # ['a b', '']
  newparam(:builder1) do
    def builder_1(value)
      text = +''
      value.split.each { |word| text << word.upcase << '.' }
      text
    end
    munge { |value| [builder_1(value)] }
  end

  # ['a b&c/d', 'ä*~.-_', '']
  newparam(:encoded1) do
    def encoded1_of(value)
      [CGI.escape(value), URI.encode_www_form_component(value), CGI.escapeHTML("<#{value}'\">")]
    end
    munge { |value| [encoded1_of(value)] }
  end

  # ['a b', 'ä', '']
  newparam(:encoded2) do
    def encoded2_of(value)
      [Base64.strict_encode64(value)]
    end
    munge { |value| [encoded2_of(value)] }
  end

  # [[1, 2, 3], []]
  newparam(:array_new1) do
    def array_new1_of(value)
      [Array.new(value.size) { |i| i * i }, Array.new(value.length, 'x'), Array.new(2, value)]
    end
    munge { |value| [array_new1_of(value)] }
  end

  # ['abc', '']
  newparam(:with_index1) do
    def with_index1_of(value)
      value.each_char.with_index.map { |c, i| c * (i + 1) }
    end
    munge { |value| [with_index1_of(value)] }
  end

  # ['a', 'ä', '']
  newparam(:ascii1) do
    def ascii1_of(value)
      [value.ascii_only?]
    end
    munge { |value| [ascii1_of(value)] }
  end

  # [[['a', 1], ['b', 2]], ['b'], []]
  newparam(:assoc1) do
    def assoc1_of(value)
      [value.assoc('b')]
    end
    munge { |value| [assoc1_of(value)] }
  end

  # ['1', '~', '', '-2.5']
  newparam(:infinite) do
    munge do |value|
      low = value == '~' ? -Float::INFINITY : value.to_f
      high = value.empty? ? Float::INFINITY : value.to_f
      limits = { low: low, high: [high, Float::INFINITY].min }
      [low == -Float::INFINITY, high != Float::INFINITY, low < high, low.zero?, limits.inspect, (high - 1).to_s]
    end
  end

  # ['/a/../b/', 'a//b', '', '.', './a', 'a/../..', '/..', '../a/./b/..', 'a/..', '/', '//', '/a/b/../../..', 'a/b/../../c', '..', './']
  newparam(:cleaned) do
    munge { |value| Pathname.new(value).cleanpath.to_s }
  end

  # ['3', '010', 'x', '3.7']
  newparam(:format_of_attribute) do
    munge { |value| [format('%d', value.to_i), format('%05.1f|%s|%p', value.to_f, value.to_i, value)] }
  end

  # ['3.7']
  newparam(:format_of_float) do
    munge { |value| format('%d', value.to_f) }
  end

  # ['a=1,b', 'c', 'a=1,b=2']
  newparam(:pairs_of_one) do
    munge { |value| Hash[value.split(',').map { |pair| pair.split('=', 2) }] }
  end

  # ['a', 'zz', 'Az9', 'a-9', '']
  newparam(:successor) do
    munge { |value| [value.succ, value.next, value.gsub(/([a-y])/) { $1.succ }] }
  end

  # ['1:2', 'a b']
  newparam(:deleted) do
    munge do |value|
      map = { at: value }
      [value.delete(':').upcase, map[:at].delete(' '), map]
    end
    validate do |value|
      bare = value.delete(':')
      raise ArgumentError, "#{value} is too long" if bare.length > 9
    end
  end

  # ['1', 1, 2.0, ['a'], true]
  newparam(:whole) do
    munge { |value| value.integer? }
  end
end
