# Attributes from a list of structures, a base class whose subclasses make methods and keep values, resources that `generate` creates.
module Orchard
  Field = Struct.new(:name, :kind, :range, keyword_init: true) do
    def whole?
      kind == :whole
    end
  end
  Point = Struct.new(:x, :y)

  FIELDS = [
    Field.new(name: :trees, kind: :whole, range: 1..500),
    Field.new(name: :soil, kind: :word, range: %w[clay sand]),
  ].freeze
  CORNER = Point.new(3, 4)

  class Measured < Puppet::Property
    class << self
      def at_least(number = nil)
        number ? @at_least = number : @at_least
      end
    end

    def self.units(*list)
      define_method(:unit_list) { list }
    end

    def number(value)
      found = /\A(\d+)([a-z]*)\z/.match(value.to_s)
      raise ArgumentError, "#{value} is not a number" unless found
      raise ArgumentError, "#{found[2]} is none of #{unit_list.join(', ')}" unless found[2].empty? || unit_list.include?(found[2])

      found[1].to_i
    end

    validate { |value| number(value) }
  end

  class Length < Measured
    units 'm', 'km'
  end

  class Weight < Measured
    units 'kg', 't'
  end
end

Puppet::Type.newtype(:orchard) do
  newparam(:name, namevar: true)

  Orchard::FIELDS.each do |field|
    newproperty(field.name) do
      desc "#{field.name} (#{field.kind}, #{Orchard::CORNER.to_a.inspect}, #{Orchard::CORNER[:y]})"
      if field.whole?
        validate do |value|
          raise ArgumentError, "#{field.name} must be up to #{field.range.last}" unless field.range.cover?(value.to_i)
        end
      else
        newvalues(*field.range)
      end
    end
  end

  newproperty(:fence, parent: Orchard::Length)
  newproperty(:crop, parent: Orchard::Weight)

  newproperty(:height) do
    class << self
      attr_reader :limit
    end
    @limit = 12
    munge { |value| [Integer(value), self.class.limit].min }
  end

  def generate
    [
      Puppet::Type.type(:file).new(path: "/srv/#{self[:name]}", ensure: :directory),
      Puppet::Type.type(:notify).new(name: self[:name], message: 'planted'),
    ]
  end

  def self.instances
    []
  end
end
