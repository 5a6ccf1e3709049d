# Settings of classes that attributes define in other ways than `def self`.
class BoundedProperty < Puppet::Property
  def self.range
    0..4_294_967_295
  end

  def unsafe_validate(value)
    raise ArgumentError, "#{value} is not within #{self.class.range}" unless self.class.range.include?(value.to_i)
  end
end

Puppet::Type.newtype(:tunnel) do
  newparam(:name)

  { port: 1..65_535, mtu: 576..9000 }.each do |attribute, limits|
    newproperty(attribute, parent: BoundedProperty) do
      define_singleton_method(:range) { limits }
    end
  end

  newproperty(:metric, parent: BoundedProperty)
end
