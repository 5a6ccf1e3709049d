# Methods of a class that set a variable where its attributes are declared, and return it in their blocks.
module Bakery
  class Amount < Puppet::Property
    class << self
      def limit(value = nil)
        @limit = value if value
        @limit || 100
      end
    end

    def self.units(*names)
      @units = names.map(&:to_s) unless names.empty?
      @units || ['g', 'kg']
    end

    validate do |value|
      unit = value[/[a-z]+\z/]
      raise ArgumentError, "#{name}: the unit is one of #{self.class.units.join(', ')}" unless self.class.units.include?(unit)
      raise ArgumentError, "#{name}: at most #{self.class.limit}" if value.to_i > self.class.limit
    end
  end

  # Something else sets it, too.
  class Oven < Puppet::Property
    def self.heat(value = nil)
      @heat = value if value
      @heat || 180
    end

    def self.cool
      @heat = 20
    end

    munge { |value| value.to_i + self.class.heat }
  end

  # Its methods call those of the class above, which becomes a kind, too.
  class Rest < Amount
    def unsafe_validate(value)
      super unless value == 'none'
    end

    def unsafe_munge(value)
      value == 'none' ? :none : super.to_s
    end
  end

  # What it sets may be symbols.
  class Crust < Puppet::Property
    def self.kinds(yes = :true, no = :false, others = [:thin, :thick])
      @yes = yes
      @no = no
      @others = others
    end

    class << self
      attr_reader :yes, :no, :others
    end

    def unsafe_munge(value)
      return value.to_sym if self.class.others.include?(value.to_sym)
      value == 'yes' ? self.class.yes : self.class.no
    end
  end
end

# What a class method sets for the type.
module Mapped
  def map_to(*attributes)
    @mapped = attributes
  end
  attr_reader :mapped

  # Its list is changed in place.
  def also(*attributes)
    @more = attributes
  end
  attr_reader :more
end

Puppet::Type.newtype(:bread) do
  extend Mapped
  map_to :name, :shape
  also :shape

  newproperty(:crust, parent: Bakery::Crust) { kinds }
  newproperty(:crumb, parent: Bakery::Crust) { kinds :soft, :none, [:open] }
  newparam(:shape)

  def place
    self.class.mapped.map { |attribute| self[attribute] }.join('/')
  end

  def others
    all = self.class.more
    all << :name
    all.map { |attribute| self[attribute] }.join('/')
  end

  validate do
    raise ArgumentError, "#{place} is not a bread" if place.include?(' ')
    raise ArgumentError, 'too much' if others.length > 80
  end

  newparam(:name, namevar: true)

  newproperty(:flour, parent: Bakery::Amount) do
    limit 500
  end

  newproperty(:water, parent: Bakery::Amount) do
    units :ml, :l
  end

  newproperty(:salt, parent: Bakery::Amount)

  newproperty(:rest, parent: Bakery::Rest) do
    limit 20
  end

  # The last call counts.
  newproperty(:yeast, parent: Bakery::Amount) do
    limit 1
    [3, 4].each { |n| limit n }
  end

  newproperty(:baked, parent: Bakery::Oven) do
    heat 220
  end

  newproperty(:seeds, parent: Puppet::Property::List) do
    define_method(:membership) { :seed_membership }
  end

  newparam(:seed_membership) do
    newvalues(:inclusive, :minimum)
    defaultto :minimum
  end
end
