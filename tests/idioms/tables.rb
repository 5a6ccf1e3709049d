# A size that remembers its bytes.
class IdiomsSize
  include Comparable

  UNITS = %w[B K M].freeze

  attr_reader :bytes

  def self.parse(value)
    return value if value.is_a?(self)
    return new(value) if value.is_a?(Integer)
    found = /\A(\d+)([BKM])?\z/.match(value.to_s)
    raise ArgumentError, "#{value.inspect} is not a size" unless found
    new(found[1].to_i * 1024**UNITS.index(found[2] || 'B'))
  end

  def initialize(bytes)
    @bytes = bytes
  end

  def <=>(other)
    bytes <=> other.bytes
  end

  def rounded(unit)
    self.class.new((bytes.to_f / unit).ceil * unit)
  end

  def to_s
    "#{bytes} bytes"
  end
end

# Conversions by kind.
module IdiomsForms
  SHOUT = '!'.freeze
  BY_KIND = {
    loud: ->(text) { "#{text.upcase}#{SHOUT}" },
    quiet: lambda { |text| text.downcase },
    short: proc { |text| text[0, 2] }
  }.freeze
end

Puppet::Type.newtype(:idioms_tables) do
  COMPARED = {
    '>=' => ->(a, b) { a >= b },
    '<' => ->(a, b) { a < b }
  }.freeze
  PLACE = /\A(?<host>[a-z.]+)(?::(?<port>\d+))?\z/
  WORD = /[a-z]+/i
  LISTED = /\A#{WORD}(,#{WORD})*\z/

  newparam(:name, namevar: true)

  # [['2K','10','1K'],['3M'],['1K','x'],[]]
  newparam(:sorted1) do
    munge { |value| Array(value).map { |v| IdiomsSize.parse(v) }.sort.map(&:to_s) }
  end

  # ['loud:Ab', 'quiet:Ab', 'short:Abc', 'other:Ab']
  newparam(:tb1) do
    munge do |value|
      kind, text = value.split(':')
      IdiomsForms::BY_KIND[kind.to_sym].call(text)
    end
  end

  # ['>= 3', '< 3', '< 9', '! 1']
  newparam(:tb2) do
    munge do |value|
      sign, number = value.split(' ')
      COMPARED.fetch(sign).call(number.to_i, 5)
    end
  end

  # ['>=', '!']
  newparam(:tb3) do
    munge { |value| [COMPARED.key?(value), COMPARED.keys] }
  end

  # [{ 'loud' => 'a', 'short' => 'bcd' }, {}]
  newparam(:tb4) do
    munge do |value|
      found = []
      IdiomsForms::BY_KIND.each do |kind, form|
        next unless value.key?(kind.to_s)
        found << form.call(value[kind.to_s])
      end
      found
    end
  end

  # ['10K', '3', '2M', 7]
  newparam(:tb5) do
    munge { |value| IdiomsSize.parse(value).rounded(1000).to_s }
  end

  # ['10K', '3', '2M', 'x']
  newparam(:tb6) do
    munge do |value|
      size = IdiomsSize.parse(value)
      [size < IdiomsSize.parse('1K'), size >= IdiomsSize.parse(IdiomsSize.new(10)), size == IdiomsSize.parse('3')]
    end
  end

  # [0, 3, 12, 255]
  newparam(:tb7) do
    munge do |value|
      number = value.to_i
      [1 << number % 16, (number << 2) + 1, number >> 1, ~number, number ^ 5, 0o777 & ~number]
    end
  end

  # [[1, 2, 3, 7, 9, 10], [4], []]
  newparam(:tb8) do
    munge do |value|
      value.sort.inject([]) do |runs, id|
        if runs.last && runs.last.last + 1 == id
          runs.last << id
        else
          runs << [id]
        end
        runs
      end
    end
  end

  # [{ 'a' => { 'b' => 1 }, 'c' => 2 }, {}]
  newparam(:tb9) do
    munge do |value|
      value.each_with_object([]) do |(key, inner), list|
        inner.is_a?(Hash) ? list.concat(inner.keys) : list << key
      end
    end
  end

  # ['a.b:80', 'a.b', '80']
  newparam(:tb10) do
    munge do |value|
      found = PLACE.match(value)
      found ? [found[:host], found[:port] || 'none'] : 'no place'
    end
  end

  # ['a,B,c', 'a,1', '']
  newparam(:tb11) do
    munge { |value| value =~ LISTED ? value.split(',') : [] }
  end

  # [3, 0, 'x']
  newparam(:tb12) do
    munge { |value| "#{value} part#{'s' unless value == 1}#{(' of many' unless value == 0)}" }
  end

  # ['a', 3]
  newparam(:tb13) do
    munge { |value| '%{of}: %{text}' % { of: value.class, text: value } }
  end

  # [{ 's' => { 'a' => 1, 'index.b' => 2 } }, { 's' => {} }, { 't' => 1 }]
  newparam(:tb14) do
    munge do |value|
      value.tap do |val|
        if val.key? 's'
          val['s']['index'] = {} unless val['s'].key? 'index'
          (val['s'].keys - ['index']).each do |setting|
            key = setting.start_with?('index.') ? setting[6..] : setting
            val['s']['index'][key] = val['s'].delete setting
          end
        end
      end
    end
  end

  # ['q', 'a']
  newparam(:tb15) do
    munge do |value|
      return value if defined?(super) unless value == 'q'
      value + 'tail'
    end
  end

  # ['a,q', 'a', 'q']
  newparam(:tb16) do
    munge do |value|
      found = nil
      value.split(',').each { |x| found = found | (x == 'q') }
      found.inspect
    end
  end
end
