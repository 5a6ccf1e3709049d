# Objects, class methods and methods made from blocks whose results may change, and providers in other forms.
module Bakery
  Loaf = Struct.new(:weight, :kind, :notes) do
    def label
      "#{kind}#{@kind}"
    end

    def next_weight
      self.weight = weight + 1
    end

    def rye?
      kind == :rye
    end
  end

  class Counted < Puppet::Parameter
    count = 0
    define_method(:number) { count += 1 }
    define_method(:current) { count }
    define_method(:check) { raise ArgumentError, 'both' if resource[:other]; true }
    validate { |value| check }
    munge { |value| value + number.to_s + current.to_s }
  end

  class Shown < Puppet::Parameter
    total = 5
    define_method(:total_of) { total }
    define_method(:add) { |more| total += more }
    munge { |value| value + total_of }
  end
end

Puppet::Type.newtype(:bakery) do
  loaf = Bakery::Loaf.new(500, :rye, [])

  def self.next_id
    @id = (@id || 0) + 1
  end

  class << self
    attr_accessor :limit
  end
  self.limit = 3

  newparam(:name, namevar: true)
  newparam(:counted, parent: Bakery::Counted)
  newparam(:shown, parent: Bakery::Shown)
  newparam(:other)
  newparam(:rye) { defaultto { loaf.rye? } }
  newparam(:weight) { munge { |value| loaf.weight.to_s + value } }
  newparam(:heavier) { munge { |value| loaf.next_weight.to_s + value } }
  newparam(:notes) { munge { |value| loaf.notes << value } }
  newparam(:noted) { munge { |value| loaf.notes.size + value } }
  newparam(:label) { munge { |value| loaf.label + value } }
  newparam(:id) { munge { |value| value + resource.class.next_id.to_s } }
  newparam(:limit) { munge { |value| value + resource.class.limit.to_s } }
  newparam(:found) do
    munge do |value|
      if value =~ /^(a)(b)(c)$/ || value =~ /^(d)$/
        groups = Regexp.last_match
        groups[3] || 'none'
      end
    end
  end
  newparam(:address) do
    munge do |value|
      begin
        matches = 'abc'.match?(value)
        Regexp.new(value)
        matches
      rescue RegexpError
        false
      end
    end
  end

  %w[oven stove].each { |name| provide(name.to_sym) { commands heat: 'heat' } }
end
