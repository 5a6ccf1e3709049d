# frozen_string_literal: false

# Ruby's core language in blocks. `record.rb` records what Ruby returns for the values in the comment before an attribute.
Puppet::Type.newtype(:idioms_changes) do
  newparam(:name, namevar: true)

  # [{'a'=>1},{}]
  newparam(:ch1) do
    def changes_1(value)
      h = {}
      h['x'] ||= []
      h['x'] << 1
      h['y'] = value
      h
    end
    munge { |value| [changes_1(value)] }
  end

  # ['a b','a']
  newparam(:ch2) do
    def changes_2(value)
      s = value.dup
      if s.gsub!(/ /, '_')
        s + '!'
      else
        'none'
      end
    end
    munge { |value| [changes_2(value)] }
  end

  # ['a b','a']
  newparam(:ch3) do
    def changes_3(value)
      value.dup.gsub!(/ /, '_') || value
    end
    munge { |value| [changes_3(value)] }
  end

  # ['a b','a']
  newparam(:ch4) do
    def changes_4(value)
      value.gsub(/ /) { |m| '_' }.tap { |s| s << 'x' }
    end
    munge { |value| [changes_4(value)] }
  end

  # [7]
  newparam(:ch5) do
    def changes_5(value)
      a = value
      a *= 2
      a -= 1
      a /= 2
      a %= 5
      a **= 2
      a
    end
    munge { |value| [changes_5(value)] }
  end

  # [7]
  newparam(:ch6) do
    def changes_6(value)
      a = value
      a |= 8
      a &= 12
      a
    end
    munge { |value| [changes_6(value)] }
  end

  # [nil, 'x']
  newparam(:ch7) do
    def changes_7(value)
      a = nil
      a ||= value
      a &&= a.to_s
      a
    end
    munge { |value| [changes_7(value)] }
  end

  # ['a']
  newparam(:ch8) do
    def changes_8(value)
      s = ''
      s += value
      s
    end
    munge { |value| [changes_8(value)] }
  end

  # [[1,2,3]]
  newparam(:ch9) do
    def changes_9(value)
      l = []
      value.each { |v| l << v if v > 1 }
      l
    end
    munge { |value| [changes_9(value)] }
  end

  # [{'a'=>1,'b'=>2}]
  newparam(:ch10) do
    def changes_10(value)
      h = {}
      value.each { |k, v| h[k.to_sym] = v }
      h
    end
    munge { |value| [changes_10(value)] }
  end

  # [{'a'=>1,'b'=>2}]
  newparam(:ch11) do
    def changes_11(value)
      value.each_with_object({}) { |(k, v), h| h[k] = v.to_s }
    end
    munge { |value| [changes_11(value)] }
  end

  # [[1,2,3]]
  newparam(:ch12) do
    def changes_12(value)
      value.each_with_object([]) { |x, l| l << x * 2 }
    end
    munge { |value| [changes_12(value)] }
  end

  # [{'a'=>1,'b'=>2}]
  newparam(:ch13) do
    def changes_13(value)
      value.inject({}) { |h, (k, v)| h[k.to_s] = v; h }
    end
    munge { |value| [changes_13(value)] }
  end

  # [{'a'=>1,'b'=>2}]
  newparam(:ch14) do
    def changes_14(value)
      value.inject({}) do |h, (k, v)|
        h[k.to_s] = v.to_s
        h
      end
    end
    munge { |value| [changes_14(value)] }
  end

  # [['a','b']]
  newparam(:ch15) do
    def changes_15(value)
      l = []
      value.each_with_index { |x, i| l << "#{i}#{x}" }
      l
    end
    munge { |value| [changes_15(value)] }
  end

  # ['x']
  newparam(:ch16) do
    def changes_16(value)
      <<~TXT
        hello #{value}
          there
      TXT
    end
    munge { |value| [changes_16(value)] }
  end

  # ['abc']
  newparam(:ch17) do
    def changes_17(value)
      s = value.dup
      s[0] = 'X'
      s
    end
    munge { |value| [changes_17(value)] }
  end

  # [[3,1,2]]
  newparam(:ch18) do
    def changes_18(value)
      l = value.dup
      l.sort!
      l.reverse!
      l.map! { |x| x + 1 }
      l.select! { |x| x > 2 }
      l.uniq!
      l.compact!
      l.flatten!
      l
    end
    munge { |value| [changes_18(value)] }
  end

  # ['  Ab  ']
  newparam(:ch19) do
    def changes_19(value)
      s = value.dup
      s.strip!
      s.downcase!
      s.sub!('a', 'x')
      s.chomp!
      s
    end
    munge { |value| [changes_19(value)] }
  end

  # [{'a'=>1}]
  newparam(:ch20) do
    def changes_20(value)
      h = Hash.new { |hash, k| hash[k] = [] }
      value.each { |k, v| h[k] << v }
      h
    end
    munge { |value| [changes_20(value)] }
  end

  # [['a','b','a']]
  newparam(:ch21) do
    def changes_21(value)
      h = Hash.new(0)
      value.each { |k| h[k] += 1 }
      h
    end
    munge { |value| [changes_21(value)] }
  end

  # [['a','b','a'], ['a']]
  newparam(:ch22) do
    def changes_22(value)
      value = value.dup
      raise 'dup' unless value.uniq.length == value.length
      raise 'dup2' if value.uniq!
      value
    end
    munge { |value| [changes_22(value)] }
  end

  # [[3,1,2]]
  newparam(:ch23) do
    def changes_23(value)
      value = value.dup
      value.sort_by!(&:to_s)
    end
    munge { |value| [changes_23(value)] }
  end

  # [[1,nil,2]]
  newparam(:ch24) do
    def changes_24(value)
      value.compact.each_with_object(Hash.new) { |x, h| h[x] = true }
    end
    munge { |value| [changes_24(value)] }
  end

  # ['x']
  newparam(:ch25) do
    def changes_25(value)
      result = []
      result << 'a' unless value == 'x'
      result << 'b' if value == 'x'
      result.empty? ? nil : result
    end
    munge { |value| [changes_25(value)] }
  end

  # ['x']
  newparam(:ch26) do
    def changes_26(value)
      result = {}
      result[:a] = 1 if value
      result.merge!(b: 2)
      result.update(c: 3)
      result
    end
    munge { |value| [changes_26(value)] }
  end

  # [{'a'=>{'b'=>1}}]
  newparam(:ch27) do
    def changes_27(value)
      h = value
      h['a']['b'] = 2
      h['a']['c'] ||= 3
      h
    end
    munge { |value| [changes_27(value)] }
  end

  # [{'a'=>'1'}]
  newparam(:ch28) do
    def changes_28(value)
      h = value.dup
      h.each { |k, v| h[k] = v.to_i }
      h
    end
    munge { |value| [changes_28(value)] }
  end

  # [{'a'=>'1', 'b'=>'x'}]
  newparam(:ch29) do
    def changes_29(value)
      value = value.dup
      value.keys.each { |k| value[k.to_sym] = value.delete(k) }
      value
    end
    munge { |value| [changes_29(value)] }
  end

  # ['x']
  newparam(:ch30) do
    def changes_30(value)
      a = { x: [1] }
      a[:x] << 2
      a[:y] = a[:x].length
      a
    end
    munge { |value| [changes_30(value)] }
  end

  # ['a,b;c']
  newparam(:ch31) do
    def changes_31(value)
      value.split(/[,;]/).each_with_object({}) do |part, memo|
        memo[part] = part.length
      end
    end
    munge { |value| [changes_31(value)] }
  end

  # ['x']
  newparam(:ch32) do
    def changes_32(value)
      [].tap { |l| l << value; l.push(2) }
    end
    munge { |value| [changes_32(value)] }
  end

  # ['x']
  newparam(:ch33) do
    def changes_33(value)
      {}.tap { |h| h[:a] = value }
    end
    munge { |value| [changes_33(value)] }
  end

  # [[1, 2, 3]]
  newparam(:ch34) do
    def changes_34(value)
      sum = 0
      value.each { |x| sum += x }
      sum
    end
    munge { |value| [changes_34(value)] }
  end

  # [['a=1','b=2']]
  newparam(:ch35) do
    def changes_35(value)
      value.map { |x| x.split('=', 2) }.each_with_object({}) { |(k, v), h| h[k.strip] = v.strip }
    end
    munge { |value| [changes_35(value)] }
  end

  # [['a=1','b=2']]
  newparam(:ch36) do
    def changes_36(value)
      out = Hash.new
      value.each do |x|
        k, v = x.split('=')
        out[k] = v
      end
      out
    end
    munge { |value| [changes_36(value)] }
  end

  # ['a b','b','']
  newparam(:same1) do
    def same_1(value)
      s = value.dup
      s.gsub!(/a/, 'a').nil? ? 'none' : 'found'
    end
    munge { |value| [same_1(value)] }
  end

  # ['a b','b','']
  newparam(:same2) do
    def same_2(value)
      s = value.dup
      if s.sub!(/a/, 'a')
        s + '!'
      else
        'none'
      end
    end
    munge { |value| [same_2(value)] }
  end

  # ['a b','b']
  newparam(:same3) do
    def same_3(value)
      value.dup.sub!(/a/, 'a') || 'none'
    end
    munge { |value| [same_3(value)] }
  end

  # ['abba','xx']
  newparam(:match1) do
    def match_1(value)
      m = value.match(/b+/)
      m ? "<#{m}>" + m.to_s : 'none'
    end
    munge { |value| [match_1(value)] }
  end

  # ['k','x']
  newparam(:fill1) do
    def put_into(all, key)
      all[key] = all.size
    end

    def fill_1(value)
      all = {}
      put_into(all, value)
      put_into(all, 'x')
      all
    end
    munge { |value| [fill_1(value)] }
  end

  # [['a','b'],[]]
  newparam(:fill2) do
    def drop_first(list)
      list.shift
      list << 'end'
    end

    def fill_2(value)
      list = value.map { |v| v.upcase }
      drop_first(list)
      list
    end
    munge { |value| [fill_2(value)] }
  end

  # [{'a' => {'b' => 1, 'cc' => [2]}, 'd' => 'x'}, {'a.b' => 1, 'a' => {'b' => 2}}, {}]
  newparam(:fill3) do
    def flatten_into(flat, map, path = [])
      map.sort_by { |key, _| key.length }.reverse.each do |key, value|
        inner = path + [key]
        case value
        when Hash
          flatten_into(flat, value, inner)
        else
          flat[inner.join('.')] ||= value
        end
      end
    end

    def fill_3(map)
      flat = {}
      flatten_into flat, map
      flat
    end
    munge { |value| [fill_3(value)] }
  end

  # ['x,y','x']
  newparam(:zi1) do
    munge do |value|
      list = value.split(',')
      list.insert(0, 'z')
      list.insert(-1, 'end')
      list
    end
  end

  # ['x','x/']
  newparam(:zi2) do
    munge do |value|
      path = value.dup
      path.insert(-1, '/') unless path.end_with?('/')
      path
    end
  end

  # ['v',['w']]
  newparam(:zi3) do
    munge do |value|
      map = { 'k' => [] }
      map['k'].insert(0, value)
      map
    end
  end

  # ['axa','b']
  newparam(:zi4) do
    munge { |value| value.gsub!(/x/, 'y') }
  end

  # ['Q','q',' b ','ab']
  newparam(:zi5) do
    munge do |value|
      if value == 'q'
        value.upcase!
      else
        value.strip! || value.sub!('a', 'c')
      end
    end
  end

  # A loop returns what it has changed.
  # [{ 'a' => '1', 'b' => '2' }, {}]
  newparam(:lr1) do
    munge { |value| value.each { |k, v| value[k] = v.to_i } }
  end

  # [{ '_a' => '1', 'b' => '2' }]
  newparam(:lr2) do
    munge do |value|
      if value.size > 1
        value.each_key { |k| value.delete(k) if k.start_with?('_') }
      end
    end
  end

  # ['a,b']
  newparam(:lr3) do
    munge do |value|
      found = { 'all' => 0 }
      value.split(',').each { |v| found[v] = 1 }
      found.each_pair { |k, v| found[k] += v }
    end
  end

  # Elements that a loop changes.
  # [[{ 'p' => '1' }, {}, { 'port' => '2', 'a' => nil }]]
  newparam(:le1) do
    munge { |value| value.each { |h| h['p'] = h['p'].to_i if h.key?('p') } }
  end

  # [[{ 'port' => '2' }, { 'a' => 1 }]]
  newparam(:le2) do
    munge { |value| value.each { |h| h['p'] = h.delete('port') if h['port'] } }
  end

  # [[{ 'a' => nil, 'b' => 1 }, {}]]
  newparam(:le3) do
    munge do |value|
      value.each { |h| h.delete_if { |_, v| v.nil? } }
      value
    end
  end

  # [[{ 'a' => 1, 'b' => 2 }, {}]]
  newparam(:le4) do
    munge do |value|
      value.each do |h|
        next if h.empty?
        h.each_key { |k| h[k] = h[k].to_s }
        h['c'] ||= 1
        h['d'] &&= 2
      end
      value
    end
  end

  # [[' a', 'b ']]
  newparam(:le5) do
    munge do |value|
      value.each { |v| v.strip! }
      value.join(',')
    end
  end

  # [{ 'a' => { 'n' => '1' }, 'b' => {} }]
  newparam(:le6) do
    munge { |value| value.each { |name, h| h['n'] = h['n'].to_i if h['n'] } }
  end

  # [[1, 'a', 2]]
  newparam(:le7) do
    munge do |value|
      value.each_with_index { |v, i| value[i] = "#{i}#{v}" if v.is_a?(Integer) }
      value
    end
  end

  # [{ 'n' => '1' }, { 'b' => 1 }]
  newparam(:le8) do
    munge do |value|
      value['n'] &&= value['n'].to_i + 1
      value
    end
  end

  # ['abc', ['a', 'b'], { 'a' => 1 }]
  newparam(:le9) do
    munge do |value|
      value.delete('a')
      value
    end
  end

  # Methods of the attribute come before those of Ruby and Puppet.
  # ['a', '1']
  newparam(:on1) do
    def warning(message)
      message.upcase
    end

    def Integer(value)
      value.to_i
    end
    munge { |value| warning(value) + Integer(value).to_s }
  end

  # A record that is made anew in each run of a loop may be changed until it is put away.
  # ['a=1;b=2']
  newparam(:rc1) do
    munge do |value|
      all = []
      value.split(';').each do |part|
        record = {}
        record['name'], record['value'] = part.split('=')
        record['name'].upcase!
        all << record
      end
      all
    end
  end

end
