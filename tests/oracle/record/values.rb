# frozen_string_literal: true

require 'set'

# Values in JSON. What JSON has no form for is an object of one pair, whose key tells the kind (the table KINDS).
module Values
  BEYOND = { 'NaN' => Float::NAN, 'Infinity' => Float::INFINITY, '-Infinity' => -Float::INFINITY }.freeze

  # Kind => how to make the value. `obj` is written only: anything else that a type came up with.
  KINDS = {
    'sym' => ->(text) { text.to_sym },
    'str' => ->(text) { text },
    'ref' => ->(text) { Puppet::Resource.new(text) },
    'hash' => ->(pairs) { pairs.to_h { |pair| pair.map { |side| Values.read(side) } } },
    'regexp' => ->(source) { Regexp.new(source) },
    'float' => ->(name) { BEYOND.fetch(name) },
    'binary' => ->(digits) { [digits].pack('H*') },
    'obj' => nil
  }.freeze

  FLAGS = { 'i' => Regexp::IGNORECASE, 'm' => Regexp::MULTILINE, 'x' => Regexp::EXTENDED }.freeze

  module_function

  # JSON → value.
  def read(json)
    return json.map { |item| read(item) } if json.is_a?(Array)
    return json unless json.is_a?(Hash)
    return json.transform_values { |item| read(item) } unless kind?(json)

    kind, inner = json.first
    KINDS[kind] ? KINDS[kind].call(inner) : json
  end

  # Value → JSON.
  def write(value)
    case value
    when nil, true, false, Integer then value
    when String then string(value)
    when Symbol then { 'sym' => value.to_s }
    when Float then value.finite? ? value : { 'float' => value.to_s }
    when Array, Set then value.map { |item| write(item) }
    when Hash then map(value)
    when Regexp then { 'regexp' => value.source, 'flags' => FLAGS.select { |_, bit| value.options & bit != 0 }.keys.join }
    when Puppet::Type, Puppet::Resource then { 'ref' => value.to_s }
    else { 'obj' => value.class.name, 'string' => words(value) }
    end
  end

  # Text for people, without what is another one in every run: addresses of objects, and all that Ruby prints of the
  # receiver of a method that it does not have.
  def words(value)
    text = value.to_s.dup.force_encoding(Encoding::UTF_8).scrub('?')
    text.sub(/ for #<([\w:]+):0x\h+.*/m) { " for #<#{$1}>" }.gsub(/(?<=#<)([^ >]*):0x\h+/) { "#{$1}:0x0" }
  end

  def kind?(hash)
    hash.size == 1 && KINDS.key?(hash.first.first)
  end

  def string(value)
    text = value.dup.force_encoding(Encoding::UTF_8)
    text.valid_encoding? ? String.new(text) : { 'binary' => value.unpack1('H*') }
  end

  # A map is itself when all keys are text and none makes it look like one of the kinds.
  def map(value)
    return { 'hash' => value.map { |pair| pair.map { |side| write(side) } } } if kind?(value) || value.each_key.any? { |key| !key.is_a?(String) }

    value.transform_values { |item| write(item) }
  end
end
