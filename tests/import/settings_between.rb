# Classes between that only change a setting, and a type whose list property compares one value at a time.
class LimitedProperty < Puppet::Property
  def self.max
    10
  end

  validate { |value| raise ArgumentError, "at most #{self.class.max}" if value.to_i > self.class.max }
end

class LargeProperty < LimitedProperty
  def self.max
    20
  end
end

class HugeProperty < LargeProperty
  def self.max
    super * 3
  end
end

# One with code of its own that changes the setting which the code above reads.
class NotedProperty < LimitedProperty
  def self.max
    30
  end

  munge { |value| value.to_i }
end

Puppet::Type.newtype(:basket) do
  newparam(:name)
  newproperty(:apples, parent: LimitedProperty)
  newproperty(:plums, parent: LargeProperty)
  newproperty(:berries, parent: HugeProperty)
  newproperty(:nuts, parent: NotedProperty)

  newproperty(:labels, array_matching: :all) do
    def property_matches?(current, desired)
      current.casecmp?(desired)
    end
  end
end
