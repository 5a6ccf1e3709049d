# Ruby's library, as far as it can be written in Ruby: functions of all objects, comparison, numbers and errors.

module Kernel
  def tap
    yield self
    self
  end

  def then
    return to_enum(:then) unless block_given?
    yield self
  end
  alias yield_self then

  def loop
    return to_enum(:loop) unless block_given?
    begin
      while true
        yield
      end
    rescue StopIteration => e
      e.result
    end
  end

  def to_enum(method = :each, *arguments)
    Enumerator.__of(self, method, arguments)
  end
  alias enum_for to_enum

  def initialize_copy(other)
    self
  end
  private :initialize_copy

  def Hash(value)
    return {} if value.nil? || value == []
    return value if Hash === value
    raise TypeError, "can't convert #{value.class} into Hash" unless value.respond_to?(:to_hash)
    value.to_hash
  end
  private :Hash

  def display
    print self
    nil
  end
end

module Comparable
  def ==(other)
    return true if equal?(other)
    (self <=> other) == 0
  end

  def __compare(other)
    order = self <=> other
    if order.nil?
      shown = other.nil? || other == true || other == false || Numeric === other ? other.inspect : other.class
      raise ArgumentError, "comparison of #{self.class} with #{shown} failed"
    end
    order
  end
  private :__compare

  def <(other)
    __compare(other) < 0
  end

  def <=(other)
    __compare(other) <= 0
  end

  def >(other)
    __compare(other) > 0
  end

  def >=(other)
    __compare(other) >= 0
  end

  def between?(min, max)
    self >= min && self <= max
  end

  def clamp(min, max = (single = true))
    if single
      range = min
      raise ArgumentError, 'cannot clamp with an exclusive range' if range.exclude_end? && !range.end.nil?
      min = range.begin
      max = range.end
    end
    raise ArgumentError, 'min argument must be smaller than max argument' if !min.nil? && !max.nil? && (min <=> max) > 0
    return min if !min.nil? && (self <=> min) < 0
    return max if !max.nil? && (self <=> max) > 0
    self
  end
end

class NilClass
  def to_a
    []
  end

  def to_h
    {}
  end

  def to_i
    0
  end

  def to_f
    0.0
  end

  def &(other)
    false
  end

  def |(other)
    other ? true : false
  end
end

class TrueClass
  def &(other)
    other ? true : false
  end

  def |(other)
    true
  end

  def ^(other)
    !other
  end
end

class FalseClass
  def &(other)
    false
  end

  def |(other)
    other ? true : false
  end

  def ^(other)
    other ? true : false
  end
end

class Numeric
  def positive?
    self > 0
  end

  def negative?
    self < 0
  end

  def zero?
    self == 0
  end

  def nonzero?
    self == 0 ? nil : self
  end

  def integer?
    false
  end

  def step(limit = nil, step = 1, by: nil, to: nil, &block)
    limit = to unless to.nil?
    step = by unless by.nil?
    raise ArgumentError, "step can't be 0" if step == 0
    unless block_given?
      return to_enum(:step) if limit.nil?
      return to_enum(:step, limit, step)
    end
    return __unsupported('step of floating-point numbers', &block) if Float === self || Float === step || Float === limit
    value = self
    while limit.nil? || (step > 0 ? value <= limit : value >= limit)
      yield value
      value += step
    end
    self
  end
end

class Integer
  def integer?
    true
  end

  def times
    return to_enum(:times) unless block_given?
    i = 0
    while i < self
      yield i
      i += 1
    end
    self
  end

  def upto(limit)
    return to_enum(:upto, limit) unless block_given?
    i = self
    while i <= limit
      yield i
      i += 1
    end
    self
  end

  def downto(limit)
    return to_enum(:downto, limit) unless block_given?
    i = self
    while i >= limit
      yield i
      i -= 1
    end
    self
  end

  def succ
    self + 1
  end

  def next
    self + 1
  end

  def pred
    self - 1
  end

  def even?
    self % 2 == 0
  end

  def odd?
    self % 2 == 1
  end

  def abs
    self < 0 ? -self : self
  end

  def ord
    self
  end

  def hash
    [self].hash
  end
end

class Proc
  def curry(count = arity < 0 ? -arity - 1 : arity)
    __curry(count, [])
  end

  def __curry(count, given)
    own = self
    lambda do |*more|
      all = given + more
      all.size >= count ? own.call(*all) : own.__curry(count, all)
    end
  end
end

class SystemExit
  def success?
    status == 0
  end
end

class String
  def next
    succ
  end

  def each_char(&block)
    return to_enum(:each_char) unless block
    chars.each(&block)
    self
  end

  def each_byte(&block)
    return to_enum(:each_byte) unless block
    bytes.each(&block)
    self
  end

  def each_line(*arguments, &block)
    return to_enum(:each_line, *arguments) unless block
    lines(*arguments).each(&block)
    self
  end

  def upto(last, exclusive = false)
    return to_enum(:upto, last, exclusive) unless block_given?
    return self if length > last.length
    if self =~ /\A\d+\z/ && last =~ /\A\d+\z/ && length == last.length
      width = length
      to_i.upto(exclusive ? last.to_i - 1 : last.to_i) { |number| yield format("%0#{width}d", number) }
      return self
    end
    value = self
    while value.length <= last.length
      break if exclusive && value == last
      yield value
      break if value == last
      value = value.succ
    end
    self
  end
end

class Range
  include Enumerable

  def ==(other)
    Range === other && self.begin == other.begin && self.end == other.end && exclude_end? == other.exclude_end?
  end

  def each
    return to_enum(:each) unless block_given?
    value = self.begin
    last = self.end
    raise TypeError, "can't iterate from #{value.class}" unless value.respond_to?(:succ)
    if String === value
      value.upto(last, exclude_end?) { |text| yield text }
      return self
    end
    if last.nil?
      while true
        yield value
        value = value.succ
      end
    end
    while exclude_end? ? (value <=> last) < 0 : (value <=> last) <= 0
      yield value
      value = value.succ
    end
    self
  end

  def reverse_each(&block)
    return to_enum(:reverse_each) unless block
    to_a.reverse.each(&block)
    self
  end

  def cover?(value)
    if Range === value
      return false if value.begin.nil? || value.end.nil?
      return cover?(value.begin) && (cover?(value.end) || (exclude_end? && value.exclude_end? && value.end == self.end))
    end
    low = self.begin
    high = self.end
    unless low.nil?
      order = low <=> value
      return false if order.nil? || order > 0
    end
    unless high.nil?
      order = value <=> high
      return false if order.nil?
      return exclude_end? ? order < 0 : order <= 0
    end
    true
  end

  def ===(value)
    cover?(value)
  end

  def include?(value)
    return cover?(value) if Numeric === self.begin || Numeric === self.end
    return to_a.include?(value) if String === self.begin && String === self.end
    return super unless self.begin.nil? || self.end.nil?
    cover?(value)
  end
  alias member? include?

  def first(count = (single = true))
    raise RangeError, 'cannot get the first element of beginless range' if self.begin.nil?
    return self.begin if single
    super(count)
  end

  def last(count = (single = true))
    raise RangeError, 'cannot get the last element of endless range' if self.end.nil?
    return self.end if single
    to_a.last(count)
  end

  def min(*arguments, &block)
    return super if block || !arguments.empty? || !(Integer === self.begin && Integer === self.end)
    to = exclude_end? ? self.end - 1 : self.end
    to < self.begin ? nil : self.begin
  end

  def max(*arguments, &block)
    return super if block || !arguments.empty? || !(Integer === self.begin && Integer === self.end)
    to = exclude_end? ? self.end - 1 : self.end
    to < self.begin ? nil : to
  end

  def size
    low = self.begin
    high = self.end
    return nil unless Numeric === low
    return Float::INFINITY if high.nil?
    return nil unless Numeric === high
    count = (exclude_end? && high == high.floor ? high - 1 : high.floor) - low + 1
    count < 0 ? 0 : count.floor
  end

  def count(*arguments, &block)
    return super if block || !arguments.empty?
    return size if Integer === self.begin && Integer === self.end
    super
  end

  def to_a
    raise RangeError, 'cannot convert endless range to an array' if self.end.nil?
    list = []
    each { |value| list << value }
    list
  end

  def entries
    to_a
  end

  def step(by = 1, &block)
    return to_enum(:step, by) unless block_given?
    raise ArgumentError, "step can't be 0" if by == 0
    return __unsupported('step of this range', &block) unless Integer === self.begin && Integer === by
    value = self.begin
    last = self.end
    while last.nil? || (exclude_end? ? value < last : value <= last)
      yield value
      value += by
    end
    self
  end
  alias % step

  def sum(initial = 0, &block)
    return super if block || !(Integer === self.begin && Integer === self.end)
    to = exclude_end? ? self.end - 1 : self.end
    to < self.begin ? initial : initial + (self.begin + to) * (to - self.begin + 1) / 2
  end

  def hash
    [self.begin, self.end, exclude_end?].hash
  end
end

class Float
  INFINITY = 1.0e308 * 10
  NAN = INFINITY - INFINITY
  EPSILON = 2.220446049250313e-16
  MAX = 1.7976931348623157e+308

  def infinite?
    self == INFINITY ? 1 : (self == -INFINITY ? -1 : nil)
  end

  def hash
    [self].hash
  end
end

RUBY_ENGINE = 'ruby'.freeze
