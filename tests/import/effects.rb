# Attributes whose values assign other attributes.
class Puppet::Property::Parts < Puppet::Property
  def self.array_matching
    :all
  end

  munge do |value|
    resource[:width] = value
    value
  end
end

class Puppet::Property::Pair < Puppet::Property
  class << self
    def array_matching
      :all
    end
  end

  def insync?(is)
    is.sort == should.sort
  end
end

Puppet::Type.newtype(:effects) do
  newparam(:name, namevar: true)
  newproperty(:width)
  newproperty(:height)
  newparam(:early)

  # Two assignments, one to an attribute that is set later.
  newparam(:size) do
    munge do |value|
      resource[:width], rest = value.split('x')
      resource[:late] ||= rest
      value.downcase
    end
  end

  # One attribute that is set later is assigned twice.
  newparam(:form) do
    munge do |value|
      resource[:late] = value
      resource[:late] = 'round' if value == 'o'
      value
    end
  end

  # Each value of a property.
  newproperty(:box, array_matching: :all) do
    munge do |value|
      resource[:early] = value if value.start_with?('e')
      value
    end
  end

  # Properties are set in an order that is not known here.
  newproperty(:frame) do
    munge { |value| resource[:height] = value }
  end

  newparam(:state) do
    validate do |value|
      resource[:width] = value.downcase
      raise ArgumentError, "#{value} is not a string" unless value.is_a?(String)
    end
  end

  newparam(:late)

  # Puppet makes a list of what is none before it stores it.
  newproperty(:boards, array_matching: :all) do
    def should=(value)
      value = [value] if value.is_a?(Hash)
      super
    end
  end

  newproperty(:rails, array_matching: :all) do
    def should=(value)
      super
      raise ArgumentError, 'rails come in pairs' unless value.is_a?(Array) && value.length.even?
      @should
    end
  end

  # It stores something else.
  newproperty(:posts, array_matching: :all) do
    def should=(value)
      value = value.first if value.is_a?(Array)
      super(value)
    end
  end

  newproperty(:parts, parent: Puppet::Property::Parts)
  newproperty(:pair, parent: Puppet::Property::Pair)
end
