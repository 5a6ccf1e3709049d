# frozen_string_literal: true

# Helpers that call a block.
module IdiomsBlocks
  def self.iterate(data, &block)
    return data unless block_given?

    case data
    when Hash then data.transform_values { |v| iterate(v, &block) }
    when Array then data.map { |v| iterate(v, &block) }
    else yield data
    end
  end

  def self.attempt(nope = false)
    yield
  rescue ArgumentError
    nope
  end

  def self.matches(existing, wanted, fields)
    return false unless existing.length == wanted.length

    left = existing.map { |e| e[0] }
    wanted.each do |target|
      found = existing.find { |e| e[0] == target[0] }
      return false unless found

      fields.each do |field|
        return false unless found[field] == target[field]
      end
      if block_given?
        return false unless yield(found, target)
      end
      left.delete(found[0])
    end
    left.empty?
  end

  def self.each_word(text)
    text.to_s.split.map { |word| yield word }
  end

  def self.selected(list, &filter)
    filter ? list.select(&filter) : list
  end

  def self.indented(text, &block)
    each_word(text) { |word| "<#{block.call(word)}>" }.join(' ')
  end

  def self.with_default(value, default = 'none')
    result = yield value, default
    result.nil? ? default : result
  end

  def self.each_pair_of(text)
    text.split(',').each do |part|
      key, value = part.split('=', 2)
      next if key.nil? || key.empty?

      yield key, value
    end
  end

  def self.walk(data, path = [], &block)
    if data.is_a?(Array)
      data.each_with_index { |d, i| walk(d, path + [i], &block) }
    else
      block.call(path, data)
    end
  end

  def self.first_of(list)
    list.each do |x|
      found = yield x
      return found if found
    end
    nil
  end

  def self.with_pair(text)
    [yield(text.split('=')), yield([text, 1], 2), yield(text, 2, 3), yield]
  end

  def self.twice
    [yield(1), yield(2)]
  end

  def self.passed(list, &block)
    list.map { |x| each_word(x) { |w| yield w } }.flatten.reject(&block)
  end
end

Puppet::Type.newtype(:idioms_blocks) do
  newparam(:name)

  def wrapped(value)
    before = '('
    text = yield value
    "#{before}#{text})"
  end

  # [['a', 'undef'], ['undef'], 'undef', 'x', [['undef', 'b'], 'c']]
  newparam(:iterated) do
    munge { |value| IdiomsBlocks.iterate(value) { |x| x == 'undef' ? nil : x } }
  end

  # [['a', 'b'], 'c']
  newparam(:untouched) do
    munge { |value| IdiomsBlocks.iterate(value) }
  end

  # ['1', 'x', '0x1f', '', '-4']
  newparam(:attempted) do
    munge { |value| IdiomsBlocks.attempt { Integer(value) } }
  end

  # ['1', 'x']
  newparam(:attempted_with) do
    munge { |value| IdiomsBlocks.attempt("no #{value}") { Integer(value) + 1 } }
  end

  # ['a b', 'a c', 'a', 'b a']
  newparam(:matched) do
    munge do |value|
      wanted = value.split.map { |w| [w, w.length, w.upcase] }
      IdiomsBlocks.matches([['a', 1, 'A'], ['b', 1, 'B']], wanted, [1]) { |found, target| found[2] == target[2] }
    end
  end

  # ['a b', 'a c']
  newparam(:matched_without) do
    munge do |value|
      IdiomsBlocks.matches([['a', 1], ['b', 1]], value.split.map { |w| [w, w.length] }, [1])
    end
  end

  # ['a b', 'a c']
  newparam(:matched_by) do
    munge do |value|
      same = ->(found, target) { found[1] == target[1] && value != 'b' }
      IdiomsBlocks.matches([['a', 1], ['b', 1]], value.split.map { |w| [w, w.length] }, [], &same)
    end
  end

  # ['a b', ' c ', '']
  newparam(:words) do
    munge do |value|
      suffix = "-#{value.length}"
      IdiomsBlocks.each_word(value) { |word| word.upcase + suffix }
    end
  end

  # ['a b']
  newparam(:symbols) do
    munge { |value| IdiomsBlocks.each_word(value, &:capitalize) }
  end

  # [['a', 'bb', ''], ['ccc']]
  newparam(:selected) do
    munge { |value| IdiomsBlocks.selected(Array(value)) { |x| x.length > 1 } }
  end

  # [['a', 'bb', '']]
  newparam(:selected_without) do
    munge { |value| IdiomsBlocks.selected(Array(value)) }
  end

  # [['a', 'bb', '']]
  newparam(:selected_by) do
    munge { |value| IdiomsBlocks.selected(Array(value), &:empty?) }
  end

  # ['a b', '']
  newparam(:indented) do
    munge do |value|
      text = 'x'
      IdiomsBlocks.indented(value) { |w| "#{w}#{text}" }
    end
  end

  # ['a', 'nil']
  newparam(:defaulted) do
    munge { |value| IdiomsBlocks.with_default(value) { |v, other| v == 'nil' ? nil : "#{v}/#{other}" } }
  end

  # ['a', 'b']
  newparam(:twice) do
    munge { |value| IdiomsBlocks.twice { |n| value * n } }
  end

  # [['a b', 'c'], ['']]
  newparam(:passed) do
    munge { |value| IdiomsBlocks.passed(Array(value)) { |w| w == 'b' } }
  end

  # ['a', 'skip', 'stop']
  newparam(:next) do
    munge do |value|
      IdiomsBlocks.twice do |n|
        next 'skipped' if value == 'skip'
        next n if n > 1

        value
      end
    end
  end

  # ['a']
  newparam(:wrapped) do
    munge do |value|
      before = '['
      resource.wrapped(value) { |text| "#{before}#{text}" }
    end
  end

  # ['a']
  newparam(:fails) do
    munge { |value| IdiomsBlocks.each_word(value) }
  end

  # ['a=1,b=2,=3,c', '', 'a=1,a=2']
  newparam(:collected) do
    munge do |value|
      out = {}
      IdiomsBlocks.each_pair_of(value) { |k, v| out[k.upcase] = v }
      out
    end
  end

  # ['a=1,b=2,=3,c', 'b=1']
  newparam(:collected_some) do
    munge do |value|
      out = []
      IdiomsBlocks.each_pair_of(value) do |k, v|
        next if k == 'b'
        next unless v

        out << "#{k}:#{v}"
      end
      out.join(' ')
    end
  end

  # ['a=1,b=2', 'x']
  newparam(:counted) do
    munge do |value|
      count = 0
      IdiomsBlocks.each_pair_of(value) { |_, v| count += v.to_i }
      "#{value} #{count}"
    end
  end

  # [['a', ['b', ['c']]], 'x']
  newparam(:walked) do
    munge do |value|
      out = []
      IdiomsBlocks.walk(value) { |path, leaf| out << "#{path.join('.')}=#{leaf}" }
      out
    end
  end

  # [['a', '1', '2'], ['a']]
  newparam(:found) do
    munge { |value| IdiomsBlocks.first_of(Array(value)) { |x| x.to_i if x =~ /\d/ } }
  end

  # ['a=1,b=x', 'a=2']
  newparam(:checked) do
    validate do |value|
      IdiomsBlocks.each_pair_of(value) { |k, v| raise ArgumentError, "bad #{k}" unless v =~ /\A\d+\z/ }
    end
  end

  # ['a=b', 'a', 'a=b=c']
  newparam(:other_counts) do
    munge do |value|
      sep = '/'
      [
        IdiomsBlocks.with_pair(value) { |x| "#{x.inspect}#{sep}" },
        IdiomsBlocks.with_pair(value) { |a, b| "#{a.inspect}#{sep}#{b.inspect}" },
        IdiomsBlocks.with_pair(value) { |a, b, c| [a, b, c] },
        IdiomsBlocks.with_pair(value) { sep },
      ]
    end
  end
end
