# Settings of a class that its methods read: each attribute has its own code, with its values.
Puppet::Type.newtype(:field_settings) do
  class Field < Puppet::Property
    class << self
      attr_accessor :words
    end

    def self.limits(first = nil, last = nil)
      @limits = [first, last] if first
      @limits
    end

    def number(text)
      place = (self.class.words || []).index(text)
      lowest, = self.class.limits
      place ? place + lowest : Integer(text)
    end

    def unsafe_validate(value)
      raise ArgumentError, "#{value} is not a #{self.class.name}" unless number(value).between?(*self.class.limits)
    end

    # Nothing calls it but Puppet.
    def is_to_s(value)
      should.nil? ? 'none' : value.to_s
    end
  end

  newparam(:name)

  newproperty(:hour, parent: Field) do
    limits 0, 23
  end

  newproperty(:day, parent: Field) do
    limits 1, 7
    self.words = %w[mon tue]
  end
end
