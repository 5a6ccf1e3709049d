Puppet::Type.newtype(:idioms_flow) do
  PORTS = (1..1024).freeze
  DIGITS = (0...10)
  SHOUT = ->(text) { text.to_s.upcase }
  SCALE = { 'K' => 2**10, 'M' => 2**20 }.freeze
  ORDER = %w[low mid high].each_with_index.to_h.freeze
  PAIRS = %w[a b c d].each_slice(2).to_h.freeze
  CLASSES = { 'n' => Integer, 's' => String, 'l' => [Array, Hash] }.freeze

  newparam(:name, namevar: true)

  # ['/a/b/c', '/a', '/']
  newparam(:fl1) do
    def flow_1(value)
      parents = []
      until value == '/'
        value = File.dirname(value)
        parents << value
      end
      parents
    end
    munge { |value| [flow_1(value)] }
  end

  # [1, 10, 100]
  newparam(:fl2) do
    def flow_2(value)
      count = 0
      while value > 1
        value /= 3
        count += 1
        next if value > 3
        break if value == 1
      end
      [value, count]
    end
    munge { |value| [flow_2(value)] }
  end

  # [['a', 'stop', 'b'], ['x'], []]
  newparam(:fl3) do
    def flow_3(value)
      queue = value.dup
      seen = []
      while (item = queue.shift)
        break if item == 'stop'
        seen << item
      end
      [seen, queue, item]
    end
    munge { |value| [flow_3(value)] }
  end

  # [3, 8]
  newparam(:fl4) do
    def flow_4(value)
      total = 0
      loop do
        total += value
        break if total > 10
      end
      begin
        total -= 1
      end while total > 20
      total
    end
    munge { |value| [flow_4(value)] }
  end

  # [['b', 'c', 'a'], [3, 1, 2], ['A', 'b']]
  newparam(:fl5) do
    def flow_5(value)
      key = ->(x) { x.to_s.downcase }
      pair = lambda { |x, y| return [y, x] if x.to_s > y.to_s; [x, y] }
      twice = proc { |x| "#{x}#{x}" }
      [value.sort_by(&key), key.call(value[0]), pair.(value[0], value[1]), twice[value[1]], value.map(&SHOUT), SHOUT.call('x')]
    end
    munge { |value| [flow_5(value)] }
  end

  # ['up', 'down', 5]
  newparam(:fl6) do
    def flow_6(value)
      odd = ->(x) { x.is_a?(Integer) && x.odd? }
      case value
      when odd then 'odd'
      when ->(x) { x == 'up' } then 'raised'
      else 'other'
      end
    end
    munge { |value| [flow_6(value)] }
  end

  # [1, 1024, 1025, 'x', 5.5]
  newparam(:fl7) do
    def flow_7(value)
      range = (2..6)
      kind = case value when DIGITS then 'digit' when PORTS then 'port' else 'none' end
      [PORTS.include?(value), range.cover?(value), DIGITS.map { |d| d * 2 }.sum, kind]
    end
    munge { |value| [flow_7(value)] }
  end

  # ['Ab', 'cD']
  newparam(:fl8) do
    def flow_8(value)
      [value.send(value.length == 2 && value[0] == 'A' ? :upcase : :downcase), value.public_send(:swapcase)]
    end
    munge { |value| [flow_8(value)] }
  end

  # ['10K', '3M', '7']
  newparam(:fl9) do
    def flow_9(value)
      match = /\A(\d+)([KM])?\z/.match(value)
      [match[1].to_i * (SCALE[match[2]] || 1), ORDER['mid'], PAIRS['c']]
    end
    munge { |value| [flow_9(value)] }
  end

  # [4, 9]
  newparam(:fl10) do
    def flow_10(value)
      found = nil
      value.times do |i|
        found = i
        break if i * i >= value
      end
      last = nil
      { 'a' => 1, 'b' => 2, 'c' => 3 }.each_pair do |k, v|
        last = k
        break if v == 2
      end
      1.upto(value) { |i| break if (found += i) > 20 }
      [found, last]
    end
    munge { |value| [flow_10(value)] }
  end

  # ['x', '/x', 'x/', '']
  newparam(:fl11) do
    def flow_11(value)
      [File.join('/etc', value), File.join('/etc/', value, 'y'), File.join(value, '/z')]
    end
    munge { |value| [flow_11(value)] }
  end

  [Integer, String].each_with_index do |klass, i|
    newparam(:"fl_class#{i}") do
      munge { |value| "#{value.is_a?(klass)} #{klass}" }
    end
  end

  # [5, 'x']
  newparam(:fl12) do
    def flow_12(value)
      [value].map(&method(:flow_13))
    end

    def flow_13(value)
      "<#{value}>"
    end
    munge { |value| [flow_12(value)] }
  end

  # [{ 'port' => 1, 'host' => 'h' }, { 'port' => '1' }, { 'tags' => ['x'] }, { 'other' => 1 }]
  newparam(:fl14) do
    def flow_14(value)
      schema = { 'port' => Integer, 'host' => String, 'tags' => Array }
      value.map do |key, one|
        klass = schema[key] or raise ArgumentError, "unknown key #{key}"
        one.is_a?(klass) ? 'fits' : "#{key} must be a #{klass}"
      end
    end
    munge { |value| [flow_14(value), [String, Integer].any? { |c| value.values[0].is_a?(c) }] }
  end

  # ['up', 'down', 'left']
  newparam(:fl15) do
    def go_up(steps)
      "up #{steps}"
    end

    def go_down(steps)
      "down #{steps}"
    end
    munge { |value| [send("go_#{value}", 3), send(:"go_#{value}", 4)] }
  end

  # ['12', 'x', '1.5']
  newparam(:fl16) do
    def flow_16(value)
      options = { mode: 'a' }
      size = value&.size
      [size, Integer(value, exception: false), Float(value, exception: false), { **options, value: value }, { k: 1, **options, mode: 'b' },
       (value == 'x') ^ true, { a: 1, b: 2 }.transform_keys({ a: :c }), ->(x) { x * 2 }.call(value), File.split("/a/#{value}")]
    end

    def flow_17(value)
      value&.length
    end
    munge { |value| [flow_16(value), flow_17(value)] }
  end

  # [{ 'n' => 1, 's' => 2 }, { 's' => 'x' }]
  newparam(:fl18) do
    def flow_18(value)
      value.map { |key, one| "#{one.is_a?(CLASSES[key])} #{CLASSES[key]}" } + [CLASSES['l'].any? { |c| value.is_a?(c) }]
    end
    munge { |value| [flow_18(value)] }
  end
end
