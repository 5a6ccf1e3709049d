# Structures that are not known, whose values are not either.
Puppet::Type.newtype(:meadow) do
  newparam(:name, namevar: true)
  own = Struct.new(:size) do
    def initialize(size)
      super(size * 2)
    end
  end
  named = Struct.new(*Facter.value(:names))
  many = Struct.new(:a, :b)
  newparam(:first) { defaultto own.new(2).size }
  newparam(:second) { defaultto named.new(1).to_a }
  newparam(:third) { defaultto many.new(1, 2, 3).a }
  newparam(:fourth) { defaultto many.new(a: 1).a }
end
