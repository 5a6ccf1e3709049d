# frozen_string_literal: true

# Ranges as values.
module IdiomsRanges
  def self.summary(text)
    ranges = text.split(',').map do |part|
      first, last = part.split('-').map(&:to_i)
      last ? (first..last) : Range.new(first, first)
    end
    all = []
    ranges.sort_by(&:first).each do |range|
      if all.last && range.first <= all.last.last + 1
        before = all.pop
        all << (before.first..[before.last, range.last].max)
      else
        all << range
      end
    end
    all.map { |range| range.first == range.last ? range.first.to_s : "#{range.first}-#{range.last}" }.join(',')
  end

  def self.expanded(items)
    items.map { |item| item.class == Range ? item.to_a : item }.flatten
  end
end

Puppet::Type.newtype(:idioms_ranges) do
  # ['1-3,7', '5,1-2,3', '2-9,3-4']
  newparam(:summary) do
    munge { |value| IdiomsRanges.summary(value) }
  end

  # ['3', '7', '0', 'x']
  newparam(:limits) do
    munge do |value|
      low, high = '1,5'.split(',').map(&:to_i)
      [(low..high).cover?(value.to_i), (low...high).include?(value.to_i), (low..high) === value.to_i]
    end
  end

  # [3, 'a']
  newparam(:other_kind) do
    munge do |value|
      low, high = '1,5'.split(',').map(&:to_i)
      (low..high).cover?(value)
    end
  end

  # ['2-4', '4-2']
  newparam(:elements) do
    munge do |value|
      first, last = value.split('-').map(&:to_i)
      range = (first..last)
      [range.to_a, range.map { |n| n * 2 }, range.size, range.to_s, range.first, range.last, range.is_a?(Range), range.min, range.max]
    end
  end

  # ['2-4']
  newparam(:without_last) do
    munge do |value|
      first, last = value.split('-').map(&:to_i)
      range = (first...last)
      [range.to_a, range.to_s, range.last, range.max, range == (2...4), range == (2..4)]
    end
  end

  # ['2-4']
  newparam(:expanded) do
    munge { |value| IdiomsRanges.expanded([1, (2..value.split('-').last.to_i)]) }
  end

  # ['3', '9']
  newparam(:when_within) do
    munge do |value|
      low, high = '1,5'.split(',').map(&:to_i)
      case value.to_i
      when low..high then 'in'
      else 'out'
      end
    end
  end

  newparam(:name, namevar: true)
end
