# frozen_string_literal: false

# Ruby's core language in blocks. `record.rb` records what Ruby returns for the values in the comment before an attribute.
Puppet::Type.newtype(:idioms_control) do
  newparam(:name, namevar: true)

  # ['a', 'b']
  newparam(:co1) do
    def control_1(value)
      value.tap { |v| raise ArgumentError, 'bad' if v == 'b' }
    end
    munge { |value| [control_1(value)] }
  end

  # [[1,2,3],[]]
  newparam(:co2) do
    def control_2(value)
      found = nil
      value.each do |x|
        if x > 1
          found = x
          break
        end
      end
      found
    end
    munge { |value| [control_2(value)] }
  end

  # ['k=v','k']
  newparam(:co3) do
    def control_3(value)
      if value =~ /(\w)=(\w)/
        [Regexp.last_match(1), Regexp.last_match(2), $~[0], $1]
      else
        $~.nil?
      end
    end
    munge { |value| [control_3(value)] }
  end

  # ['k=v','k']
  newparam(:co4) do
    def control_4(value)
      if /(?<a>\w)=(?<b>\w)/ =~ value
        [a, b]
      end
    end
    munge { |value| [control_4(value)] }
  end

  # ['5-7','3-3', '4-2']
  newparam(:co5) do
    def control_5(value)
      a, b = value.split('-')
      (a.to_i..b.to_i).to_a
    end
    munge { |value| [control_5(value)] }
  end

  # [[1,2],[]]
  newparam(:co6) do
    def control_6(value)
      a, *b = value
      [a, b]
    end
    munge { |value| [control_6(value)] }
  end

  # [[1,2,3],[1]]
  newparam(:co7) do
    def control_7(value)
      *a, b = value
      [a, b]
    end
    munge { |value| [control_7(value)] }
  end

  # [[1,[2,3]]]
  newparam(:co8) do
    def control_8(value)
      a, (b, c) = value
      [a, b, c]
    end
    munge { |value| [control_8(value)] }
  end

  # [[1,2]]
  newparam(:co9) do
    def control_9(value)
      a, b = value
      a, b = b, a
      [a, b]
    end
    munge { |value| [control_9(value)] }
  end

  # [[1,2,3]]
  newparam(:co10) do
    def control_10(value)
      l = []
      value.each { |v| l.push(v * 2) }
      l.concat([9]).uniq
    end
    munge { |value| [control_10(value)] }
  end

  # [[1,2,3]]
  newparam(:co11) do
    def control_11(value)
      a, b = value.partition { |x| x > 1 }
      [a, b]
    end
    munge { |value| [control_11(value)] }
  end

  # ['a', 1]
  newparam(:co12) do
    def control_12(value)
      [value.instance_of?(String), value.is_a?(Comparable), value.is_a?(Enumerable), String === value, value.is_a?(Numeric), value.kind_of?(Integer)]
    end
    munge { |value| [control_12(value)] }
  end

  # ['a', true, [], {}]
  newparam(:co13) do
    def control_13(value)
      [value.instance_of?(TrueClass), value.is_a?(Object), value.class == Array, value.class.to_s, value.class.name]
    end
    munge { |value| [control_13(value)] }
  end

  # ['5','x', '0x1f']
  newparam(:co14) do
    def control_14(value)
      begin
        Integer(value)
      rescue ArgumentError
        'bad'
      end
    end
    munge { |value| [control_14(value)] }
  end

  # ['5','x', [1]]
  newparam(:co15) do
    def control_15(value)
      begin
        Integer(value)
      rescue ArgumentError, TypeError => e
        'bad'
      end
    end
    munge { |value| [control_15(value)] }
  end

  # ['5','x']
  newparam(:co16) do
    def control_16(value)
      Integer(value) rescue false
    end
    munge { |value| [control_16(value)] }
  end

  # ['010','8','x']
  newparam(:co17) do
    def control_17(value)
      begin
        Integer(value, 8)
      rescue StandardError
        -1
      end
    end
    munge { |value| [control_17(value)] }
  end

  # ['a','1','b','zz','B']
  newparam(:co18) do
    def control_18(value)
      case value
      when 'a', 'b' then 1
      when /\A\d+\z/ then 2
      when ->(x) { x.length > 1 } then 3
      else 4
      end
    end
    munge { |value| [control_18(value)] }
  end

  # [5, 50, 500, 'x', 2.5]
  newparam(:co19) do
    def control_19(value)
      case value
      when 1..9 then 1
      when 10...100 then 2
      when Integer then 3
      when Numeric then 4
      else 5
      end
    end
    munge { |value| [control_19(value)] }
  end

  # ['a','x']
  newparam(:co20) do
    def control_20(value)
      list = %w[a b]
      case value
      when *list then 1
      else 2
      end
    end
    munge { |value| [control_20(value)] }
  end

  # ['a', 1, [1], {'a'=>1}, true]
  newparam(:co21) do
    def control_21(value)
      case value
      when String, Symbol then 1
      when Array, Hash then 2
      when TrueClass, FalseClass then 3
      when nil then 4
      when Enumerable then 5
      else 6
      end
    end
    munge { |value| [control_21(value)] }
  end

  # [1, 5]
  newparam(:co22) do
    def control_22(value)
      case
      when value < 3 then 'low'
      else 'high'
      end
    end
    munge { |value| [control_22(value)] }
  end

  # [{'a'=>1}]
  newparam(:co23) do
    def control_23(value)
      h = value.dup
      x = h.delete('a')
      y = h.delete('zz')
      [x, y, h]
    end
    munge { |value| [control_23(value)] }
  end

  # [[1,2,3,2]]
  newparam(:co24) do
    def control_24(value)
      l = value.dup
      x = l.delete(2)
      y = l.shift
      z = l.pop
      [x, y, z, l]
    end
    munge { |value| [control_24(value)] }
  end

  # ['a', '']
  newparam(:co25) do
    def control_25(value)
      x = if value.empty? then 1 else 2 end
      y = case value when 'a' then 1 else 2 end
      z = begin; 3; end
      [x, y, z]
    end
    munge { |value| [control_25(value)] }
  end

  # ['a', '']
  newparam(:co26) do
    def control_26(value)
      return 'empty' if value.empty? or value.nil?
      not value.empty? and value == 'a'
    end
    munge { |value| [control_26(value)] }
  end

  # ['a:b:c']
  newparam(:co27) do
    def control_27(value)
      h, t = value.split(':', 2)
      { h => t }
    end
    munge { |value| [control_27(value)] }
  end

  # ['a:b:c']
  newparam(:co28) do
    def control_28(value)
      first, = value.split(':')
      first
    end
    munge { |value| [control_28(value)] }
  end

  # ['a:b:c']
  newparam(:co29) do
    def control_29(value)
      _, second, _ = value.split(':')
      second
    end
    munge { |value| [control_29(value)] }
  end

  # ['a:b:c']
  newparam(:co30) do
    def control_30(value)
      *init, last = value.split(':')
      init.join('/') + last
    end
    munge { |value| [control_30(value)] }
  end

  # [{'a'=>'1', 'b'=>'x'}]
  newparam(:co31) do
    def control_31(value)
      value.each do |k, v|
        next if k == 'a'
        raise "bad #{k}" unless v =~ /x/
      end
      value
    end
    munge { |value| [control_31(value)] }
  end

  # [{'a'=>'1', 'b'=>'x'}]
  newparam(:co32) do
    def control_32(value)
      value.map { |k, v| "#{k}=#{v}" }.sort.join(';')
    end
    munge { |value| [control_32(value)] }
  end

  # [['b','a']]
  newparam(:co33) do
    def control_33(value)
      value.sort.each_cons(2) { |a, b| raise 'x' if a == b }
      value
    end
    munge { |value| [control_33(value)] }
  end

  # [['b','a']]
  newparam(:co34) do
    def control_34(value)
      value.all?(String) && value.any?(/a/) && value.grep(/a/) == ['a'] && value.grep_v(/a/) == ['b'] && value.none?(Integer)
    end
    munge { |value| [control_34(value)] }
  end

  # [['b','a'], 'x']
  newparam(:co35) do
    def control_35(value)
      value = [value] unless value.is_a?(Array)
      value.map(&:upcase)
    end
    munge { |value| [control_35(value)] }
  end

  # [['b','a'], 'x']
  newparam(:co36) do
    def control_36(value)
      value = value.join(',') if value.is_a? Array
      value
    end
    munge { |value| [control_36(value)] }
  end

  # ['x5', '5']
  newparam(:co37) do
    def control_37(value)
      i = value =~ /\d/
      i == 0
    end
    munge { |value| [control_37(value)] }
  end

  # ['x5', '5', 'z']
  newparam(:co38) do
    def control_38(value)
      if (i = value.index('5')) then value[0...i] else value end
    end
    munge { |value| [control_38(value)] }
  end

  # ['1k', '5m', 'x']
  newparam(:co39) do
    def control_39(value)
      units = { 'k' => 1024, 'm' => 1048576 }
      if value =~ /\A(\d+)([km])\z/
        $1.to_i * units[$2]
      else
        raise ArgumentError, "bad #{value}"
      end
    end
    munge { |value| [control_39(value)] }
  end

  # ['1k', '5m', 'x']
  newparam(:co40) do
    def control_40(value)
      md = /\A(\d+)([km])\z/.match(value)
      raise ArgumentError, "bad" if md.nil?
      num, unit = md.captures
      num.to_i * { 'k' => 10, 'm' => 20 }.fetch(unit)
    end
    munge { |value| [control_40(value)] }
  end

  # ['1k', '5m', 'x']
  newparam(:co41) do
    def control_41(value)
      _, num, unit = *value.match(/\A(\d+)([km])\z/)
      [num, unit]
    end
    munge { |value| [control_41(value)] }
  end

  # ['a']
  newparam(:co42) do
    def control_42(value)
      %w[a b c].each do |x|
        return x if x == value
      end
      nil
    end
    munge { |value| [control_42(value)] }
  end

  # [[1, 2, 3]]
  newparam(:co43) do
    def control_43(value)
      value.each_with_index do |x, i|
        next if i.zero?
        raise 'not sorted' if value[i - 1] > x
      end
      value
    end
    munge { |value| [control_43(value)] }
  end

  # [[1, 2, 3]]
  newparam(:co44) do
    def control_44(value)
      max = nil
      value.each { |x| max = x if max.nil? || x > max }
      max
    end
    munge { |value| [control_44(value)] }
  end

  # [['a=1','b=2']]
  newparam(:co45) do
    def control_45(value)
      value.map { |x| x.split('=', 2) }.to_h { |k, v| [k.to_sym, v.to_i] }
    end
    munge { |value| [control_45(value)] }
  end

  # ['abc','','x']
  newparam(:assigned1) do
    def assigned_1(value)
      if value.size > 1 && found = value[1]
        "found #{found}"
      else
        "none #{found.inspect}"
      end
    end
    munge { |value| [assigned_1(value)] }
  end

  # ['a b','']
  newparam(:assigned2) do
    def assigned_2(value)
      return 'empty' if (words = value.split).empty?

      words.last
    end
    munge { |value| [assigned_2(value)] }
  end

  # [['a','bb','ccc']]
  newparam(:assigned3) do
    def assigned_3(value)
      found = nil
      value.any? { |v| (found = v).size > 1 }
      found
    end
    munge { |value| [assigned_3(value)] }
  end

  # [['a','bb','ccc']]
  newparam(:assigned4) do
    def assigned_4(value)
      value.map { |v| v.size > 1 && (rest = v[1]) ? "#{rest}!" : rest.inspect }
    end
    munge { |value| [assigned_4(value)] }
  end

  # [['a','bb','ccc']]
  newparam(:assigned5) do
    def assigned_5(value)
      [].tap do |all|
        value.each { |v| all << rest if v.size > 1 && (rest = v[1]) }
        all << last if value.any? && last = value.last
      end
    end
    munge { |value| [assigned_5(value)] }
  end

  # [['a','bb','ccc','d'],[]]
  newparam(:break1) do
    def break_1(value)
      all = []
      value.each do |v|
        next if v == 'a'

        all << v
        break if v.size > 2
      end
      all
    end
    munge { |value| [break_1(value)] }
  end

  # [{'a'=>1,'b'=>2,'c'=>3}]
  newparam(:break2) do
    def break_2(value)
      sum = 0
      value.each do |k, v|
        [1, 2].each { |n| sum += n * v }
        if k == 'b'
          sum *= 10
          break
        end
      end
      sum
    end
    munge { |value| [break_2(value)] }
  end

  # ['10.0.0.1/8', 'any', '10.0.0.256', 'x/y/z', '10.0.0.1']
  newparam(:rescue1) do
    def rescue_1(value)
      return 'any' if value == 'any'

      address, bits = value.split('/', 2)
      bits ||= '32'
      ip = IPAddr.new("#{address}/#{bits}")
      "#{ip}/#{bits}"
    rescue IPAddr::InvalidAddressError
      value.upcase
    end
    munge { |value| [rescue_1(value)] }
  end

  # What comes before the address raises errors of other classes.
  # [['10.0.0.1'], [], ['x']]
  newparam(:rescue2) do
    def rescue_2(value)
      first = value.fetch(0)
      IPAddr.new("#{first}").to_s
    rescue IPAddr::Error
      'no address'
    end
    munge { |value| [rescue_2(value)] }
  end
end
