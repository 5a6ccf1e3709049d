# Enumerable and Enumerator, over `each`.

module Enumerable
  def to_a(*arguments)
    list = []
    each(*arguments) { |*item| list << (item.size > 1 ? item : item[0]) }
    list
  end
  alias entries to_a

  def each_entry(&block)
    return to_enum(:each_entry) unless block
    to_a.each(&block)
    self
  end

  def map(&block)
    return to_enum(:map) unless block
    list = []
    each { |*item| list << block.call(*item) }
    list
  end
  alias collect map

  def flat_map
    return to_enum(:flat_map) unless block_given?
    list = []
    to_a.each do |item|
      value = yield item
      Array === value ? list.concat(value) : list << value
    end
    list
  end
  alias collect_concat flat_map

  def select
    return to_enum(:select) unless block_given?
    list = []
    to_a.each { |item| list << item if yield item }
    list
  end
  alias filter select
  alias find_all select

  def filter_map
    return to_enum(:filter_map) unless block_given?
    list = []
    to_a.each do |item|
      value = yield item
      list << value if value
    end
    list
  end

  def reject
    return to_enum(:reject) unless block_given?
    list = []
    to_a.each { |item| list << item unless yield item }
    list
  end

  def partition
    return to_enum(:partition) unless block_given?
    yes = []
    no = []
    to_a.each { |item| (yield item) ? yes << item : no << item }
    [yes, no]
  end

  def group_by
    return to_enum(:group_by) unless block_given?
    groups = {}
    to_a.each do |item|
      key = yield item
      groups.key?(key) ? groups[key] << item : groups[key] = [item]
    end
    groups
  end

  def tally
    counts = {}
    to_a.each { |item| counts[item] = (counts[item] || 0) + 1 }
    counts
  end

  def each_with_index(*arguments)
    return to_enum(:each_with_index, *arguments) unless block_given?
    index = 0
    each(*arguments) do |*item|
      yield (item.size > 1 ? item : item[0]), index
      index += 1
    end
    self
  end

  def each_with_object(memo)
    return to_enum(:each_with_object, memo) unless block_given?
    each { |*item| yield (item.size > 1 ? item : item[0]), memo }
    memo
  end

  def reverse_each(&block)
    return to_enum(:reverse_each) unless block
    to_a.reverse.each(&block)
    self
  end

  def inject(initial = (no_initial = true), operator = (no_operator = true), &block)
    if !no_initial && no_operator && !block
      operator = initial
      no_initial = true
      no_operator = false
    end
    block = ->(memo, item) { memo.__send__(operator, item) } unless no_operator
    memo = no_initial ? nil : initial
    is_first = no_initial
    to_a.each do |item|
      if is_first
        memo = item
        is_first = false
      else
        memo = block.call(memo, item)
      end
    end
    memo
  end
  alias reduce inject

  def sum(initial = 0)
    total = initial
    compensation = 0.0
    is_float = false
    to_a.each do |item|
      item = yield item if block_given?
      if Float === item && (is_float || Numeric === total) && item.finite?
        # Kahan-Babuska summation, as in Ruby.
        unless is_float
          total = total.to_f
          is_float = true
        end
        next_total = total + item
        if total.abs >= item.abs
          compensation += (total - next_total) + item
        else
          compensation += (item - next_total) + total
        end
        total = next_total
      elsif is_float && Integer === item
        next_total = total + item
        total = next_total
      else
        total += item
      end
    end
    is_float ? total + compensation : total
  end

  def count(item = (no_item = true))
    total = 0
    if !no_item
      to_a.each { |other| total += 1 if other == item }
    elsif block_given?
      to_a.each { |other| total += 1 if yield other }
    else
      each { total += 1 }
    end
    total
  end

  def find(if_none = nil)
    return to_enum(:find, if_none) unless block_given?
    each do |*item|
      item = item.size > 1 ? item : item[0]
      return item if yield item
    end
    if_none.nil? ? nil : if_none.call
  end
  alias detect find

  def find_index(value = (no_value = true))
    return to_enum(:find_index) if no_value && !block_given?
    index = 0
    each do |*item|
      item = item.size > 1 ? item : item[0]
      return index if no_value ? (yield item) : item == value
      index += 1
    end
    nil
  end

  def first(count = (single = true))
    if single
      each { |*item| return item.size > 1 ? item : item[0] }
      return nil
    end
    raise ArgumentError, 'attempt to take negative size' if count < 0
    list = []
    return list if count == 0
    each do |*item|
      list << (item.size > 1 ? item : item[0])
      break if list.size == count
    end
    list
  end

  def take(count)
    first(count)
  end

  def drop(count)
    to_a.drop(count)
  end

  def take_while
    return to_enum(:take_while) unless block_given?
    list = []
    each do |*item|
      item = item.size > 1 ? item : item[0]
      break unless yield item
      list << item
    end
    list
  end

  def drop_while
    return to_enum(:drop_while) unless block_given?
    list = []
    dropping = true
    to_a.each do |item|
      dropping = false if dropping && !(yield item)
      list << item unless dropping
    end
    list
  end

  def include?(value)
    each { |*item| return true if (item.size > 1 ? item : item[0]) == value }
    false
  end
  alias member? include?

  def all?(pattern = (no_pattern = true))
    to_a.each do |item|
      fits = !no_pattern ? pattern === item : (block_given? ? (yield item) : item)
      return false unless fits
    end
    true
  end

  def any?(pattern = (no_pattern = true))
    each do |*item|
      item = item.size > 1 ? item : item[0]
      fits = !no_pattern ? pattern === item : (block_given? ? (yield item) : item)
      return true if fits
    end
    false
  end

  def none?(pattern = (no_pattern = true))
    to_a.each do |item|
      fits = !no_pattern ? pattern === item : (block_given? ? (yield item) : item)
      return false if fits
    end
    true
  end

  def one?(pattern = (no_pattern = true))
    total = 0
    to_a.each do |item|
      fits = !no_pattern ? pattern === item : (block_given? ? (yield item) : item)
      total += 1 if fits
    end
    total == 1
  end

  def sort(&block)
    to_a.sort(&block)
  end

  def sort_by
    return to_enum(:sort_by) unless block_given?
    pairs = to_a.map { |item| [(yield item), item] }
    pairs.sort { |a, b| a[0] <=> b[0] }.map { |pair| pair[1] }
  end

  def __extreme(sign, count, block)
    list = to_a
    unless count.nil?
      sorted = block ? list.sort(&block) : list.sort
      sorted = sorted.reverse if sign < 0
      return sorted.take(count)
    end
    best = list[0]
    list.drop(1).each do |item|
      order = block ? block.call(item, best) : item <=> best
      if order.nil?
        shown = best.nil? || best == true || best == false || Numeric === best ? best.inspect : best.class
        raise ArgumentError, "comparison of #{item.class} with #{shown} failed"
      end
      best = item if order * sign < 0
    end
    best
  end
  private :__extreme

  def min(count = nil, &block)
    __extreme(1, count, block)
  end

  def max(count = nil, &block)
    __extreme(-1, count, block)
  end

  def minmax(&block)
    [min(&block), max(&block)]
  end

  def min_by(count = nil)
    return to_enum(:min_by, count) unless block_given?
    pairs = to_a.map { |item| [(yield item), item] }
    unless count.nil?
      return pairs.sort { |a, b| a[0] <=> b[0] }.take(count).map { |pair| pair[1] }
    end
    best = pairs[0]
    pairs.each { |pair| best = pair if (pair[0] <=> best[0]) < 0 }
    best.nil? ? nil : best[1]
  end

  def max_by(count = nil)
    return to_enum(:max_by, count) unless block_given?
    pairs = to_a.map { |item| [(yield item), item] }
    unless count.nil?
      return pairs.sort { |a, b| b[0] <=> a[0] }.take(count).map { |pair| pair[1] }
    end
    best = pairs[0]
    pairs.each { |pair| best = pair if (pair[0] <=> best[0]) > 0 }
    best.nil? ? nil : best[1]
  end

  def minmax_by(&block)
    [min_by(&block), max_by(&block)]
  end

  def each_slice(size)
    raise ArgumentError, 'invalid slice size' if size <= 0
    return to_enum(:each_slice, size) unless block_given?
    slice = []
    each do |*item|
      slice << (item.size > 1 ? item : item[0])
      if slice.size == size
        yield slice
        slice = []
      end
    end
    yield slice unless slice.empty?
    self
  end

  def each_cons(size)
    raise ArgumentError, 'invalid size' if size <= 0
    return to_enum(:each_cons, size) unless block_given?
    window = []
    each do |*item|
      window = window.drop(1) if window.size == size
      window += [item.size > 1 ? item : item[0]]
      yield window.dup if window.size == size
    end
    self
  end

  def zip(*others)
    lists = others.map { |other| other.respond_to?(:to_ary) ? other.to_ary : other.first(to_a.size) }
    index = -1
    rows = to_a.map do |item|
      index += 1
      [item] + lists.map { |list| list[index] }
    end
    return rows unless block_given?
    rows.each { |row| yield row }
    nil
  end

  def to_h(*arguments)
    hash = {}
    to_a(*arguments).each do |item|
      pair = block_given? ? (yield item) : item
      raise TypeError, "wrong element type #{pair.class} (expected array)" unless Array === pair
      raise ArgumentError, "element has wrong array length (expected 2, was #{pair.size})" unless pair.size == 2
      hash[pair[0]] = pair[1]
    end
    hash
  end

  def uniq(&block)
    to_a.uniq(&block)
  end

  def cycle(count = nil)
    return to_enum(:cycle, count) unless block_given?
    list = to_a
    return nil if list.empty?
    round = 0
    while count.nil? || round < count
      list.each { |item| yield item }
      round += 1
    end
    nil
  end

  def chunk_while
    __slices { |a, b| !(yield a, b) }
  end

  def slice_when
    __slices { |a, b| yield a, b }
  end

  def __slices
    slices = []
    current = nil
    previous = nil
    to_a.each do |item|
      if current.nil?
        current = [item]
      elsif yield previous, item
        slices << current
        current = [item]
      else
        current << item
      end
      previous = item
    end
    slices << current unless current.nil?
    slices.each
  end
  private :__slices

  def chunk
    return to_enum(:chunk) unless block_given?
    chunks = []
    to_a.each do |item|
      key = yield item
      if !chunks.empty? && chunks.last[0] == key
        chunks.last[1] << item
      else
        chunks << [key, [item]]
      end
    end
    chunks.each
  end

  def lazy
    Enumerator::Lazy.__over(self)
  end

  def grep(pattern)
    list = to_a.select { |item| pattern === item }
    block_given? ? list.map { |item| yield item } : list
  end

  def grep_v(pattern)
    list = to_a.reject { |item| pattern === item }
    block_given? ? list.map { |item| yield item } : list
  end

end

class Enumerator
  include Enumerable

  def self.__of(object, method, arguments)
    made = allocate
    made.instance_variable_set(:@object, object)
    made.instance_variable_set(:@method, method)
    made.instance_variable_set(:@arguments, arguments)
    made
  end

  def initialize(size = nil, &block)
    raise ArgumentError, 'no block given' unless block
    @block = block
  end

  def each(*more, &block)
    return self unless block
    return @block.call(Enumerator::Yielder.__of(block), *more) if @block
    @object.__send__(@method, *@arguments, *more, &block)
  end

  def with_index(offset = 0)
    return Enumerator.__of(self, :with_index, [offset]) unless block_given?
    index = (offset || 0) - 1
    each do |*item|
      index += 1
      yield (item.size > 1 ? item : item[0]), index
    end
  end

  def each_with_index(&block)
    return Enumerator.__of(self, :each_with_index, []) unless block
    with_index(0, &block)
  end

  def with_object(memo)
    return Enumerator.__of(self, :with_object, [memo]) unless block_given?
    each { |*item| yield (item.size > 1 ? item : item[0]), memo }
    memo
  end
  alias each_with_object with_object

  def next
    @items = to_a if @items.nil?
    @position = 0 if @position.nil?
    raise StopIteration, 'iteration reached an end' if @position >= @items.size
    @position += 1
    @items[@position - 1]
  end

  def peek
    @items = to_a if @items.nil?
    @position = 0 if @position.nil?
    raise StopIteration, 'iteration reached an end' if @position >= @items.size
    @items[@position]
  end

  def rewind
    @position = 0
    self
  end

  def size
    return nil if @block
    case @method
    when :each, :map, :collect, :each_with_index, :select, :filter, :reject, :flat_map, :times, :each_char, :with_index, :each_entry
      @method == :times ? @object : (@object.respond_to?(:size) ? @object.size : nil)
    else
      __unsupported('size of this enumerator')
    end
  end

  def inspect
    arguments = @arguments.nil? || @arguments.empty? ? '' : "(#{@arguments.map(&:inspect).join(', ')})"
    return __unsupported('text of this enumerator') if @block || @method == :step || @method.nil?
    "#<Enumerator: #{@object.inspect}:#{@method}#{arguments}>"
  end
  alias to_s inspect

  class Yielder
    def self.__of(block)
      made = allocate
      made.instance_variable_set(:@block, block)
      made
    end

    def <<(item)
      @block.call(item)
      self
    end

    def yield(*items)
      @block.call(*items)
    end
    alias call yield
  end

  class Lazy
    include Enumerable

    def self.__over(source, steps = [])
      made = allocate
      made.instance_variable_set(:@source, source)
      made.instance_variable_set(:@steps, steps)
      made
    end

    def __with(kind, code)
      Lazy.__over(@source, @steps + [[kind, code]])
    end

    def map(&block)
      __with(:map, block)
    end
    alias collect map

    def select(&block)
      __with(:select, block)
    end
    alias filter select

    def reject(&block)
      __with(:reject, block)
    end

    def filter_map(&block)
      map(&block).select { |item| item }
    end

    def take_while(&block)
      __with(:take_while, block)
    end

    def take(count)
      __with(:take, count)
    end

    def each
      taken = @steps.map { 0 }
      @source.each do |item|
        keep = true
        stop = false
        @steps.each_with_index do |(kind, code), at|
          next unless keep
          case kind
          when :map then item = code.call(item)
          when :select then keep = code.call(item) ? true : false
          when :reject then keep = code.call(item) ? false : true
          when :take_while
            keep = code.call(item) ? true : false
            stop = true unless keep
          when :take
            taken[at] += 1
            stop = true if taken[at] >= code
            keep = taken[at] <= code
          end
        end
        yield item if keep
        break if stop
      end
      self
    end

    def first(count = (single = true))
      single ? super() : super(count)
    end

    def to_a
      list = []
      each { |item| list << item }
      list
    end
    alias force to_a

    def lazy
      self
    end

    def eager
      to_a
    end

    def inspect
      __unsupported('text of this enumerator')
    end
    alias to_s inspect
  end
end
