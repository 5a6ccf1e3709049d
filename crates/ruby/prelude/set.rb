# Set and Struct.

class Set
  include Enumerable

  def self.[](*items)
    new(items)
  end

  def initialize(items = nil, &block)
    @hash = {}
    return if items.nil?
    if block
      items.each { |item| add(block.call(item)) }
    else
      items.each { |item| add(item) }
    end
  end

  def initialize_copy(other)
    @hash = other.to_a.to_h { |item| [item, true] }
    self
  end
  private :initialize_copy

  def add(item)
    @hash[item] = true
    self
  end
  alias << add

  def add?(item)
    include?(item) ? nil : add(item)
  end

  def delete(item)
    @hash.delete(item)
    self
  end

  def delete?(item)
    include?(item) ? delete(item) : nil
  end

  def include?(item)
    @hash.key?(item)
  end
  alias member? include?
  alias === include?

  def size
    @hash.size
  end
  alias length size

  def empty?
    @hash.empty?
  end

  def each(&block)
    return to_enum(:each) unless block
    @hash.keys.each(&block)
    self
  end

  def to_a
    @hash.keys
  end

  def to_set
    self
  end

  def first(*arguments)
    to_a.first(*arguments)
  end

  def |(other)
    dup.merge(other)
  end
  alias + |
  alias union |

  def &(other)
    Set.new(other.select { |item| include?(item) })
  end
  alias intersection &

  def -(other)
    other = other.to_set
    Set.new(to_a.reject { |item| other.include?(item) })
  end
  alias difference -

  def ^(other)
    (self | other) - (self & other)
  end

  def merge(*lists)
    lists.each { |list| list.each { |item| add(item) } }
    self
  end

  def subtract(list)
    list.each { |item| delete(item) }
    self
  end

  def clear
    @hash.clear
    self
  end

  def subset?(other)
    raise ArgumentError, 'value must be a set' unless Set === other
    size <= other.size && all? { |item| other.include?(item) }
  end
  alias <= subset?

  def superset?(other)
    raise ArgumentError, 'value must be a set' unless Set === other
    other.subset?(self)
  end
  alias >= superset?

  def proper_subset?(other)
    size < other.size && subset?(other)
  end
  alias < proper_subset?

  def proper_superset?(other)
    other.proper_subset?(self)
  end
  alias > proper_superset?

  def disjoint?(other)
    other.none? { |item| include?(item) }
  end

  def intersect?(other)
    !disjoint?(other)
  end

  def ==(other)
    Set === other && size == other.size && all? { |item| other.include?(item) }
  end

  def eql?(other)
    Set === other && self == other
  end

  def hash
    @hash.hash
  end

  def map!(&block)
    items = map(&block)
    clear
    merge(items)
  end
  alias collect! map!

  def select!(&block)
    before = size
    delete_if { |item| !block.call(item) }
    size == before ? nil : self
  end
  alias filter! select!

  def reject!(&block)
    before = size
    delete_if(&block)
    size == before ? nil : self
  end

  def delete_if
    to_a.each { |item| delete(item) if yield item }
    self
  end

  def keep_if
    to_a.each { |item| delete(item) unless yield item }
    self
  end

  def select(&block)
    return to_enum(:select) unless block
    Set.new(to_a.select(&block))
  end
  alias filter select

  def reject(&block)
    return to_enum(:reject) unless block
    Set.new(to_a.reject(&block))
  end

  def partition(&block)
    to_a.partition(&block)
  end

  def group_by(&block)
    to_a.group_by(&block)
  end

  def flatten
    result = Set.new
    each { |item| Set === item ? result.merge(item.flatten) : result.add(item) }
    result
  end

  def freeze
    @hash.freeze
    super
  end

  def inspect
    "#<Set: {#{to_a.map(&:inspect).join(', ')}}>"
  end
  alias to_s inspect
end

module Enumerable
  def to_set
    Set.new(self)
  end
end

class Struct
  include Enumerable

  def self.new(*names, keyword_init: nil, &block)
    name = String === names.first ? names.shift : nil
    return __unsupported('Struct.new with a class name') if name
    names.each { |member| raise TypeError, "#{member.inspect} is not a symbol" unless Symbol === member || String === member }
    names = names.map(&:to_sym)
    names.each { |member| raise ArgumentError, "duplicate member: #{member}" if names.count(member) > 1 }
    made = Class.new(self)
    made.singleton_class.define_method(:new) do |*values, **keywords, &inner|
      object = allocate
      object.__send__(:initialize, *values, **keywords, &inner)
      object
    end
    made.singleton_class.define_method(:[]) { |*values| new(*values) }
    made.singleton_class.define_method(:members) { names.dup }
    made.singleton_class.define_method(:__keyword_init) { keyword_init }
    names.each do |member|
      variable = "@__#{member}"
      made.define_method(member) { instance_variable_get(variable) }
      made.define_method("#{member}=") { |value| instance_variable_set(variable, value) }
    end
    made.class_eval(&block) if block
    made
  end

  def initialize(*values, **keywords)
    names = members
    use_keywords = self.class.__keyword_init
    if use_keywords
      raise ArgumentError, "wrong number of arguments (given #{values.size}, expected 0)" unless values.empty?
      unknown = keywords.keys - names
      raise ArgumentError, "unknown keywords: #{unknown.join(', ')}" unless unknown.empty?
      names.each { |name| instance_variable_set("@__#{name}", keywords[name]) }
    else
      values = values + [keywords] unless keywords.empty?
      raise ArgumentError, 'struct size differs' if values.size > names.size
      names.each_with_index { |name, at| instance_variable_set("@__#{name}", values[at]) }
    end
  end

  def members
    self.class.members
  end

  def instance_variables
    super.reject { |name| name.to_s.start_with?('@__') }
  end

  def to_a
    members.map { |name| instance_variable_get("@__#{name}") }
  end
  alias values to_a
  alias deconstruct to_a

  def to_h(&block)
    pairs = members.map { |name| [name, instance_variable_get("@__#{name}")] }
    block ? pairs.to_h(&block) : pairs.to_h
  end

  def deconstruct_keys(names)
    to_h
  end

  def each(&block)
    return to_enum(:each) unless block
    to_a.each(&block)
    self
  end

  def each_pair(&block)
    return to_enum(:each_pair) unless block
    to_h.each_pair(&block)
    self
  end

  def __member(key)
    if Integer === key
      size = members.size
      raise IndexError, "offset #{key} too large for struct(size:#{size})" if key >= size
      raise IndexError, "offset #{key} too small for struct(size:#{size})" if key < -size
      return members[key]
    end
    raise NameError, "no member '#{key}' in struct" unless members.include?(key.to_sym)
    key
  end
  private :__member

  def [](key)
    instance_variable_get("@__#{__member(key)}")
  end

  def []=(key, value)
    instance_variable_set("@__#{__member(key)}", value)
  end

  def dig(key, *rest)
    value = self[key]
    rest.empty? || value.nil? ? value : value.dig(*rest)
  end

  def values_at(*positions)
    to_a.values_at(*positions)
  end

  def size
    members.size
  end
  alias length size

  def ==(other)
    other.class == self.class && to_a == other.to_a
  end

  def eql?(other)
    other.class == self.class && to_a.eql?(other.to_a)
  end

  def hash
    [self.class, to_a].hash
  end

  def inspect
    name = self.class.name
    "#<struct #{name ? "#{name} " : ''}#{members.map { |member| "#{member}=#{self[member].inspect}" }.join(', ')}>"
  end
  alias to_s inspect
end
