# Methods of hashes with blocks, and those that are made of others.

class Hash
  include Enumerable

  def fetch(key, default = (no_default = true))
    return self[key] if key?(key)
    return yield key if block_given?
    return default unless no_default
    raise __key_error(key)
  end

  def __key_error(key)
    KeyError.new("key not found: #{key.inspect}")
  end
  private :__key_error

  def fetch_values(*keys, &block)
    keys.map { |key| fetch(key, &block) }
  end

  def values_at(*keys)
    keys.map { |key| self[key] }
  end

  def dig(key, *rest)
    value = self[key]
    rest.empty? || value.nil? ? value : value.dig(*rest)
  end

  def key(value)
    each { |key, other| return key if other == value }
    nil
  end

  def value?(value)
    values.include?(value)
  end
  alias has_value? value?

  def each_key
    return to_enum(:each_key) unless block_given?
    keys.each { |key| yield key }
    self
  end

  def each_value
    return to_enum(:each_value) unless block_given?
    values.each { |value| yield value }
    self
  end

  def to_h(&block)
    return to_a.to_h(&block) if block
    self
  end

  def to_proc
    own = self
    ->(key) { own[key] }
  end

  def merge(*others, &block)
    dup.merge!(*others, &block)
  end

  def merge!(*others)
    raise FrozenError, "can't modify frozen Hash: #{inspect}" if frozen?
    others.each do |other|
      raise TypeError, "no implicit conversion of #{other.nil? ? 'nil' : other.class} into Hash" unless other.respond_to?(:to_hash)
      other.to_hash.each do |key, value|
        self[key] = block_given? && key?(key) ? (yield key, self[key], value) : value
      end
    end
    self
  end
  alias update merge!

  def select
    return to_enum(:select) unless block_given?
    hash = {}
    each { |key, value| hash[key] = value if yield key, value }
    hash
  end
  alias filter select

  def reject
    return to_enum(:reject) unless block_given?
    hash = {}
    each { |key, value| hash[key] = value unless yield key, value }
    hash
  end

  def __replace_if_shorter(hash)
    hash.size == size ? nil : replace(hash)
  end
  private :__replace_if_shorter

  def select!(&block)
    return to_enum(:select!) unless block
    __replace_if_shorter(select(&block))
  end
  alias filter! select!

  def reject!(&block)
    return to_enum(:reject!) unless block
    __replace_if_shorter(reject(&block))
  end

  def keep_if(&block)
    select!(&block)
    self
  end

  def delete_if(&block)
    reject!(&block)
    self
  end

  def compact
    reject { |_, value| value.nil? }
  end

  def compact!
    reject! { |_, value| value.nil? }
  end

  def slice(*keys)
    hash = {}
    keys.each { |key| hash[key] = self[key] if key?(key) }
    hash
  end

  def except(*keys)
    reject { |key, _| keys.include?(key) }
  end

  def invert
    hash = {}
    each { |key, value| hash[value] = key }
    hash
  end

  def transform_values
    return to_enum(:transform_values) unless block_given?
    hash = {}
    each { |key, value| hash[key] = yield value }
    hash
  end

  def transform_keys(names = nil)
    return to_enum(:transform_keys) unless block_given? || names
    hash = {}
    each do |key, value|
      new = if names&.key?(key) then names[key] else (block_given? ? (yield key) : key) end
      hash[new] = value
    end
    hash
  end

  def transform_values!(&block)
    replace(transform_values(&block))
  end

  def transform_keys!(*arguments, &block)
    replace(transform_keys(*arguments, &block))
  end

  def filter_map
    return to_enum(:filter_map) unless block_given?
    list = []
    each do |key, value|
      result = yield key, value
      list << result if result
    end
    list
  end

  def map
    return to_enum(:map) unless block_given?
    list = []
    each { |pair| list << (yield pair) }
    list
  end
  alias collect map

  def any?(pattern = (no_pattern = true))
    return super(pattern) unless no_pattern
    return !empty? unless block_given?
    each { |key, value| return true if yield key, value }
    false
  end

  def count(*arguments, &block)
    return size if arguments.empty? && !block
    to_a.count(*arguments, &block)
  end

  def assoc(key)
    key?(key) ? [keys.find { |other| other == key }, self[key]] : nil
  end

  def rassoc(value)
    to_a.find { |pair| pair[1] == value }
  end

  def <=(other)
    size <= other.size && all? { |key, value| other.key?(key) && other[key] == value }
  end

  def <(other)
    size < other.size && self <= other
  end

  def >=(other)
    other <= self
  end

  def >(other)
    other < self
  end

  def flatten(depth = 1)
    to_a.flatten(depth)
  end

  def deconstruct_keys(keys)
    self
  end
end
