# frozen_string_literal: false

# Patterns and their groups in blocks: extended patterns, flags, groups by name. `record.rb` records what Ruby returns for the values in the
# comment before an attribute.
module IdiomMatching
  SIZE = /\A
    (?<count>\d+)  # digits (as many as there are)
    (?<unit>[kmg])? # [k]ilo, (?:m)ega
  \z/x.freeze
  URL = %r{\A(?<driver>[a-z]+):(?<rest>\S+)\z}i.freeze
  ANY_CASE = Regexp.new('\Aabc', Regexp::IGNORECASE)
  DIGITS = (0..15).map { |n| n.to_s(16) }
  LIMITS = [Integer('0xff'), Integer('0777', 8), Integer('0b11'), Integer('017'), Integer('-1_0'), Integer('z', 36)].freeze

  def self.parts(text)
    text.match(/\A(?<host>[a-z]+):(?<port>\d+)\z/) || text.match(/\A(?<port>\d+)\z/) || raise(ArgumentError, text)
  end
end

class Comparisons
  include Comparable
  attr_reader :parts

  def initialize(text)
    @parts = text.split('.').map(&:to_i)
  end

  def <=>(other)
    parts <=> other.parts
  end

  def to_s
    parts.join('.')
  end
end

Puppet::Type.newtype(:idioms_matching) do
  newparam(:name, namevar: true)

  # ['12k','12','k','12 k']
  newparam(:ma1) do
    munge { |value| (m = IdiomMatching::SIZE.match(value)) ? [m[:count], m[:unit], m.captures] : 'none' }
  end

  # ['ab','a b','a#b','ab # (c)']
  newparam(:ma2) do
    munge do |value|
      case value
      when /\A(a) # (one)
        (b)\z/x then $~.captures
      when /\A(a)[ #](b) (?# c )/x then [$1, $2]
      else 'other'
      end
    end
  end

  # ['abcd','ABCD','xabc']
  newparam(:ma3) do
    munge { |value| [value.match?(IdiomMatching::ANY_CASE), value =~ Regexp.new('BC', Regexp::IGNORECASE) ? 1 : 2] }
  end

  # ['pg:a/b','PG:x','nothing']
  newparam(:ma4) do
    munge do |value|
      driver, rest = IdiomMatching::URL.match(value).values_at(:driver, 'rest')
      [driver, rest, value[IdiomMatching::URL, :rest], value&.[](IdiomMatching::URL, :driver)]
    end
  end

  # ['a=1','b']
  newparam(:ma5) do
    munge { |value| [value.match(/=(\d)/)&.[](1), value.match(/(?<key>a)/)&.[](:key), { 'a' => 1 }[value]&.is_a?(Integer)] }
  end

  # ['f','15','10']
  newparam(:ma6) do
    munge { |value| [IdiomMatching::DIGITS.index(value), IdiomMatching::LIMITS] }
  end

  # ['http://','http:///x','file:///x','http://h']
  newparam(:ma7) do
    munge { |value| URI.parse(value).host }
  end

  # ['1.10,1.9','2,10','']
  newparam(:ma8) do
    munge do |value|
      found = value.split(',').map { |text| Comparisons.new(text) }
      [found.max, found.min, found.minmax].flatten.map(&:to_s)
    end
  end

  # ['abc','bca','xyz','bb']
  newparam(:ma9) do
    munge do |value|
      value.index(/(b)./)
      found = $1
      [found, value.start_with?(/(b)/) ? $1 : 'n', (value =~ /b/) == 0, (value =~ /b/) == nil, (value =~ /c/).nil?]
    end
  end

  # [['a','b'],{'a'=>1},'none']
  newparam(:mb1) do
    munge do |value|
      kept = Set.new(value == 'none' ? nil : value)
      (kept ^ ['z', 'z']).to_a
    end
  end

  # ['abc','bca','xyz']
  newparam(:mb2) do
    munge do |value|
      places = [value =~ /b/, value =~ /c/]
      [places, places.compact, { place: value =~ /b/ }, "at #{value =~ /b/}", value[0...(value =~ /c|z/)]]
    end
  end

  # ['a?b', 'ab', 'x*y|']
  newparam(:whole_match) do
    munge do |value|
      raise ArgumentError, "'#{$&}' is not safe" if value =~ /[|]/

      value =~ /[?*]/ ? "#{$&} in #{value}" : value.sub(/a(.)/) { "<#{$&}#{$1}>" }
    end
  end

  # [['in', 'map'], ['IN'], 'x', ['a', 'b', 'c'], [['in', 'm']]]
  newparam(:apart) do
    munge { |(direction, map)| [direction.to_s.downcase, map.to_s] }
  end

  # [['a', ['b', 'c']], ['a', 'b']]
  newparam(:apart_within) do
    munge do |(first, (second, third))|
      next first if third.nil?

      "#{first}#{second}#{third}"
    end
  end

  # ['abc', 'xyz', '']
  newparam(:place) do
    munge { |value| value =~ /b/ }
  end

  # ['abc', 'xyz', 'b']
  newparam(:places) do
    def at(value)
      value =~ /b/
    end

    munge do |value|
      found = (value =~ /b/)
      both = (value =~ /b/) && value
      either = (value =~ /b/) || value
      first = value =~ /b/ ? 'yes' : 'no'
      all = [value, 'b'].map { |x| x =~ /b/ }
      some = [value, 'b'].select { |x| x =~ /b/ }
      [found, both, either, first, all, all.compact, some, at(value), "#{value =~ /c/}", (value =~ /b/).inspect, !(value =~ /b/)]
    end
  end

  # ['a1', 'b']
  newparam(:place_and_group) do
    munge { |value| [value =~ /([0-9])/, $1] }
  end

  # ['b', "a\nb", 'xb', "B\nb\nc", '']
  newparam(:made) do
    munge do |value|
      word = 'b'
      [value =~ Regexp.new('^b'), value =~ Regexp.new("^#{word}$"), value.match(Regexp.new('^' + word)).nil?, /#{word}/ =~ value,
       (/c/ =~ value).nil?, value =~ /#{'^' + word}/]
    end
  end
end
