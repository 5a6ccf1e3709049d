# Methods of lists with blocks, and those that are made of others.

class Array
  def fetch(index, default = (no_default = true))
    at = index < 0 ? index + size : index
    return self[at] if at >= 0 && at < size
    return yield index if block_given?
    return default unless no_default
    raise IndexError, "index #{index} outside of array bounds: #{-size}...#{size}"
  end

  def dig(index, *rest)
    value = self[index]
    rest.empty? || value.nil? ? value : value.dig(*rest)
  end

  def each_index
    return to_enum(:each_index) unless block_given?
    size.times { |at| yield at }
    self
  end

  def index(value = (no_value = true))
    return to_enum(:index) if no_value && !block_given?
    at = 0
    while at < size
      return at if no_value ? (yield self[at]) : self[at] == value
      at += 1
    end
    nil
  end
  alias find_index index

  def rindex(value = (no_value = true))
    return to_enum(:rindex) if no_value && !block_given?
    at = size - 1
    while at >= 0
      return at if no_value ? (yield self[at]) : self[at] == value
      at -= 1
    end
    nil
  end

  def map
    return to_enum(:map) unless block_given?
    list = []
    each { |item| list << (yield item) }
    list
  end
  alias collect map

  def count(*arguments, &block)
    return size if arguments.empty? && !block
    super
  end

  def uniq
    keys = block_given? ? map { |item| yield item } : self
    __unique_by(keys)
  end

  def union(*lists)
    lists.inject(self | []) { |all, list| all | list }
  end

  def difference(*lists)
    lists.inject(self + []) { |rest, list| rest - list }
  end

  def intersection(*lists)
    lists.inject(self | []) { |all, list| all & list }
  end

  def intersect?(other)
    !(self & other).empty?
  end

  def map!(&block)
    return to_enum(:map!) unless block
    replace(map(&block))
  end
  alias collect! map!

  def sort!(&block)
    replace(sort(&block))
  end

  def sort_by!(&block)
    return to_enum(:sort_by!) unless block
    replace(sort_by(&block))
  end

  def reverse!
    replace(reverse)
  end

  def rotate!(by = 1)
    replace(rotate(by))
  end

  def __replace_if_shorter(list)
    list.size == size ? nil : replace(list)
  end
  private :__replace_if_shorter

  def select!(&block)
    return to_enum(:select!) unless block
    __replace_if_shorter(select(&block))
  end
  alias filter! select!

  def keep_if(&block)
    return to_enum(:keep_if) unless block
    select!(&block)
    self
  end

  def reject!(&block)
    return to_enum(:reject!) unless block
    __replace_if_shorter(reject(&block))
  end

  def delete_if(&block)
    return to_enum(:delete_if) unless block
    reject!(&block)
    self
  end

  def uniq!(&block)
    __replace_if_shorter(uniq(&block))
  end

  def compact!
    __replace_if_shorter(compact)
  end

  def flatten!(depth = nil)
    flat = depth.nil? ? flatten : flatten(depth)
    any? { |item| Array === item } ? replace(flat) : nil
  end

  def slice!(start, length = (no_length = true))
    removed = no_length ? self[start] : self[start, length]
    return removed if removed.nil?
    if no_length && !(Range === start)
      delete_at(start)
    elsif no_length
      self[start] = []
    else
      self[start, length] = []
    end
    removed
  end

  def fill(value = (no_value = true), start = 0, length = nil, &block)
    return __unsupported('fill with a range', self, &block) if Range === start
    at = start.nil? ? 0 : start
    last = length.nil? ? size : at + length
    while at < last
      self[at] = no_value ? (yield at) : value
      at += 1
    end
    self
  end

  def assoc(key)
    find { |pair| Array === pair && pair[0] == key }
  end

  def rassoc(value)
    find { |pair| Array === pair && pair[1] == value }
  end

  def transpose
    return [] if empty?
    width = self[0].size
    each { |row| raise IndexError, "element size differs (#{row.size} should be #{width})" unless row.size == width }
    (0...width).map { |at| map { |row| row[at] } }
  end

  def product(*lists)
    rows = map { |item| [item] }
    lists.each { |list| rows = rows.flat_map { |row| list.map { |item| row + [item] } } }
    rows
  end

  def combination(count)
    return to_enum(:combination, count) unless block_given?
    __combinations(count, 0).each { |list| yield list }
    self
  end

  def __combinations(count, from)
    return [[]] if count == 0
    return [] if count < 0
    all = []
    (from...size).each { |at| __combinations(count - 1, at + 1).each { |rest| all << [self[at]] + rest } }
    all
  end

  def permutation(count = size)
    return to_enum(:permutation, count) unless block_given?
    __permutations(count, (0...size).to_a).each { |list| yield list }
    self
  end

  def __permutations(count, positions)
    return [[]] if count == 0
    return [] if count < 0
    all = []
    positions.each { |at| __permutations(count - 1, positions - [at]).each { |rest| all << [self[at]] + rest } }
    all
  end

  def bsearch
    return to_enum(:bsearch) unless block_given?
    low = 0
    high = size
    while low < high
      middle = (low + high) / 2
      answer = yield self[middle]
      return self[middle] if answer == 0
      if answer == true || (Integer === answer && answer < 0)
        high = middle
      elsif answer == false || answer.nil? || (Integer === answer && answer > 0)
        low = middle + 1
      else
        raise TypeError, "wrong argument type #{answer.class} (must be numeric, true, false or nil)"
      end
    end
    found = self[low]
    low < size && (yield found) == true ? found : nil
  end

  def __best(sign)
    best = self[0]
    drop(1).each do |item|
      order = best <=> item
      if order.nil?
        shown = item.nil? || item == true || item == false || Numeric === item ? item.inspect : item.class
        raise ArgumentError, "comparison of #{best.class} with #{shown} failed"
      end
      best = item if order * sign > 0
    end
    best
  end
  private :__best

  def min(count = nil, &block)
    count.nil? && !block ? __best(1) : __extreme(1, count, block)
  end

  def max(count = nil, &block)
    count.nil? && !block ? __best(-1) : __extreme(-1, count, block)
  end

  def deconstruct
    self
  end

  def to_h(&block)
    hash = {}
    each_with_index do |item, at|
      pair = block ? block.call(item) : item
      unless Array === pair
        raise TypeError, block ? "wrong element type #{pair.class} (expected array)" : "wrong element type #{pair.class} at #{at} (expected array)"
      end
      unless pair.size == 2
        raise ArgumentError, block ? "element has wrong array length (expected 2, was #{pair.size})" : "wrong array length at #{at} (expected 2, was #{pair.size})"
      end
      hash[pair[0]] = pair[1]
    end
    hash
  end

  def cycle(count = nil, &block)
    return to_enum(:cycle, *[count].compact) unless block
    super(count, &block)
  end

  def reverse_each(&block)
    return to_enum(:reverse_each) unless block
    reverse.each(&block)
    self
  end
end
