# A setting of a class that one attribute does not know: the code of the class belongs to each attribute.
class LimitedProperty < Puppet::Property
  def self.limit
    10
  end

  def unsafe_validate(value)
    raise ArgumentError, "at most #{self.class.limit}" if value.to_i > self.class.limit
  end
end

Puppet::Type.newtype(:tank) do
  newparam(:name)

  newproperty(:water, parent: LimitedProperty)

  newproperty(:oil, parent: LimitedProperty) do
    def self.limit
      Machine.tanks.length
    end
  end
end
