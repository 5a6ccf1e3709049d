# What a class of properties calls must be what Ruby calls there: where an attribute replaces it, the code belongs to each attribute.
class Puppet::Property::Pole < Puppet::Property
  def prefix
    'a'
  end

  def unsafe_munge(value)
    prefix + value
  end
end

class Puppet::Property::Tall < Puppet::Property::Pole
  def unsafe_munge(value)
    super + '!'
  end
end

# Its `munge` is that of `Tall`, which calls that of `Pole`.
class Puppet::Property::Taller < Puppet::Property::Tall
  def insync?(is)
    is.to_s == should
  end
end

# It replaces what the method above calls.
class Puppet::Property::Short < Puppet::Property::Pole
  def prefix
    'b'
  end

  def unsafe_munge(value)
    super + '?'
  end
end

# Another class with the last name of one above.
module Fence
  class Pole < Puppet::Property::Pole
    def unsafe_munge(value)
      super + '#'
    end
  end
end

Puppet::Type.newtype(:pole) do
  newparam(:name, namevar: true)
  newproperty(:plain, parent: Puppet::Property::Pole)
  newproperty(:tall, parent: Puppet::Property::Tall)
  newproperty(:taller, parent: Puppet::Property::Taller)
  newproperty(:short, parent: Puppet::Property::Short)
  newproperty(:fence, parent: Fence::Pole)

  # It has its own `prefix`, which the class calls.
  newproperty(:own, parent: Puppet::Property::Pole) do
    def prefix
      'o'
    end
  end

  # The type's function of the same name is another one.
  def prefix
    'type'
  end

  validate do
    raise ArgumentError, prefix if self[:plain] == prefix
  end
end
